/** Compiles the blocks of TypeScript in the README files and in the pages about programs. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import ts from "typescript";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = globSync(["README.md", "packages/*/README.md", "docs/**/*.md"], {
  cwd: root,
  // Its blocks are parts of files, which its own test puts together.
  ignore: ["docs/contributing/adding-a-resource.md"],
});
/** What blocks use without declaring it: earlier blocks of the page have it, or the text says what it is. */
const given = `declare const WorkspaceAutomationClient: typeof import("pulumi-workspace-automation/client").WorkspaceAutomationClient;
declare const client: import("pulumi-workspace-automation/client").WorkspaceAutomationClient;
declare const baseUrl: string, clientId: string, clientSecret: string, token: string;
declare const store: import("pulumi-workspace-automation/client").TokenStore;
declare function status(text: string): void;`;

it("every block of TypeScript compiles", { timeout: 600_000 }, () => {
  const files = new Map<string, { readonly at: string; readonly text: string }>();
  for (const page of pages.toSorted()) {
    const text = readFileSync(join(root, page), "utf8");
    for (const [index, { 1: code = "", index: start }] of [
      ...text.matchAll(/^```ts\n([\s\S]*?)^```/gm),
    ].entries()) {
      const folder = join(root, "test/docs/blocks", page.replace(/\W/g, "-"));
      // A block may name its file, which the other blocks of the page import.
      const name = /^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block-${index}.ts`;
      const line = text.slice(0, start).split("\n").length;
      // The package's own tests compile the examples of its generated SDK.
      if (code.includes('"workspace-automation-sdk"')) continue;
      files.set(join(folder, name), { at: `${page}:${line}`, text: `${code}\nexport {};\n` });
    }
  }
  files.set(join(root, "test/docs/blocks/given.d.ts"), { at: "what is given", text: given });
  expect(files.size).toBeGreaterThan(8);
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: ["node"], lib: ["lib.es2022.d.ts"] },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
    ...{ moduleResolution: ts.ModuleResolutionKind.NodeNext },
    paths: {
      "pulumi-workspace-automation": [join(root, "sdk/nodejs/index.ts")],
      "pulumi-workspace-automation/client": [join(root, "client/public.ts")],
      workspacectl: [join(root, "cli/api/index.ts")],
      "workspace-automation-emulator": [join(root, "emulator/index.ts")],
    },
  };
  const host = ts.createCompilerHost(options);
  const [fileExists, readFile] = [host.fileExists.bind(host), host.readFile.bind(host)];
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name)?.text ?? readFile(name);
  host.directoryExists = () => true;
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target) => {
    const block = files.get(name);
    return block ? ts.createSourceFile(name, block.text, target) : getSourceFile(name, target);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const problems = [...files].flatMap(([name, { at }]) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => `${at}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
  });
  expect(problems).toEqual([]);
});
