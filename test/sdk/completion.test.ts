/** Measures what TypeScript's language service offers: each action class lists its own arguments and no others. */
import { resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { getDefinition } from "../../provider/index.js";
import { listVariantTypes } from "../../resources/package-types.js";

const action = getDefinition("Action");
const types = listVariantTypes(action);
const file = resolve("sdk/nodejs/completion.ts");
it("completes the arguments of each action type", { timeout: 600_000 }, () => {
  const program = `import { ${types.map(({ name }) => name).join(", ")} } from "./index.js";\n${types
    .map(({ name }) => `new ${name}("one", { /*${name}*/ });\n`)
    .join("")}`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
    }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = name === file ? program : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    directoryExists: (name) => ts.sys.directoryExists(name),
    getDirectories: (name) => ts.sys.getDirectories(name),
  };
  const service = ts.createLanguageService(host);
  for (const { name, kind = "", implied } of types) {
    const at = program.indexOf(`/*${name}*/`);
    const offered = service.getCompletionsAtPosition(file, at, {})?.entries.map((entry) => entry.name) ?? [];
    const own = Object.keys({ ...action.args.shape, ...action.variants?.of[kind]?.args });
    expect(offered.toSorted(), name).toEqual(own.filter((arg) => !(arg in implied)).toSorted());
  }
});
