/** Compiles the toolchain for tests that start it in other processes. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll } from "vitest";
import { findPackageRoot } from "../../toolchain/locations.js";

const TOOLCHAIN = "toolchain";

/**
 * Compiles toolchain and its imports for child processes, so that these tests neither need a build nor use an
 * outdated one. The output must be inside the package, whose modules it uses.
 */
export function compileToolchain(): string {
  const root = findPackageRoot();
  const parent = join(root, "node_modules/.cache");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "toolchain-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const files = new Set(readdirSync(join(root, TOOLCHAIN)).map((name) => join(root, TOOLCHAIN, name)));
  // Iterating over a set includes elements that are added meanwhile.
  for (const file of files) {
    const source = readFileSync(file, "utf8");
    for (const [, path = ""] of source.matchAll(/ from "(\.[^"]+)\.js"/g))
      files.add(`${resolve(dirname(file), path)}.ts`);
    const target = join(folder, relative(root, file).replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compiled(source));
  }
  return pathToFileURL(join(folder, TOOLCHAIN)).href;
}

function compiled(source: string): string {
  return ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    },
  }).outputText;
}
