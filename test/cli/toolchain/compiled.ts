import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll } from "vitest";
import { packageRoot } from "../../../cli/toolchain/locations.js";

/**
 * Compiles cli/toolchain for child processes, so that these tests need no build and never meet an old one. It has to
 * lie inside the package, whose modules it uses.
 */
export function compileToolchain(): string {
  const parent = join(packageRoot(), "node_modules/.cache");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "toolchain-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const sources = join(packageRoot(), "cli/toolchain");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const name of readdirSync(sources)) {
    const { outputText } = ts.transpileModule(readFileSync(join(sources, name), "utf8"), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      },
    });
    writeFileSync(join(folder, name.replace(/\.ts$/, ".js")), outputText);
  }
  return pathToFileURL(folder).href;
}
