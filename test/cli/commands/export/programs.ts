/** Checks exported programs with the compiler, the linter, and Pulumi without an engine. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import js from "@eslint/js";
import * as pulumi from "@pulumi/pulumi";
import { ESLint } from "eslint";
import { createJiti } from "jiti";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { withoutMarks } from "../../../../diff/values.js";
import * as sdk from "../../../../sdk/nodejs/index.js";
import { removeMocksNow } from "../../../sdk/remove-mocks.js";
import { fileIn, temporaryFolder } from "../../support.js";

const repository = resolve(import.meta.dirname, "../../../..");

/** Returns the complaints of all tools about the programs in the given folders. */
export async function complaintsOf(folders: readonly string[]): Promise<string[]> {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|json|yaml)$/.test(file))
      .map((file) => join(folder, file)),
  );
  const modules = files.filter((file) => file.endsWith(".ts"));
  return [...typeErrors(folders[0] ?? "", modules), ...(await lintErrors(modules))];
}

/** Runs the compiler once for all programs, with the settings that they include. */
function typeErrors(folder: string, files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const paths = {
    "pulumi-workspace-automation": [join(repository, "sdk/nodejs/index.ts")],
    "@pulumi/pulumi": [join(repository, "node_modules/@pulumi/pulumi")],
  };
  const types = [join(repository, "node_modules/@types")];
  const program = ts.createProgram(files, { ...options, paths, typeRoots: types, types: ["node"] });
  return files.flatMap((file) => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const line = source === undefined ? 0 : source.getLineAndCharacterOfPosition(start).line + 1;
      return `${file}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  });
}

async function lintErrors(files: readonly string[]): Promise<string[]> {
  const eslint = new ESLint({
    cwd: "/",
    overrideConfigFile: true,
    overrideConfig: [js.configs.recommended, ...(tseslint.configs.recommended as ESLint.Options[])] as never,
  });
  const results = await eslint.lintFiles([...files]);
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, message, ruleId }) => `${filePath}:${line}: ${message} (${ruleId})`),
  );
}

type Declared = ReadonlyMap<string, unknown>;

/** Returns the arguments that a program registers with the engine, by logical name. */
export function declaredByProgram(folder: string, config: Record<string, string> = {}): Promise<Declared> {
  return registered(config, () => {
    const virtualModules = { "pulumi-workspace-automation": sdk, "@pulumi/pulumi": pulumi };
    const options = { moduleCache: false, fsCache: false, interopDefault: false, virtualModules };
    createJiti(join(folder, "index.ts"), options)("./index.ts");
  });
}

/** Returns the arguments that a workspace file registers. */
export function declaredByFile(text: string): Promise<Declared> {
  const file = fileIn(temporaryFolder(), "workspace.yaml", text);
  return registered({}, () => sdk.loadWorkspace(file, { mock: true }));
}

/** Returns a stable number for an object, whatever the order of creation. */
function numberOf(name: string): number {
  return createHash("sha256").update(name).digest().readUInt32BE();
}

async function registered(config: Record<string, string>, run: () => unknown): Promise<Declared> {
  const found = new Map<string, unknown>();
  const given = Object.entries(config).map(([key, value]) => [`workspace-automation:${key}`, value] as const);
  pulumi.runtime.setAllConfig(Object.fromEntries(given));
  await pulumi.runtime.setMocks(
    {
      newResource({ name, type, inputs }) {
        // In a program, the connection determines the workspace.
        const { workspace: _connection, ...args } = inputs as Record<string, unknown>;
        found.set(name, { type, ...(withoutMarks(args) as object) });
        return { id: `acme/${numberOf(name)}`, state: inputs as object };
      },
      call: () => ({}),
    },
    "workspace-automation",
    "test",
  );
  run();
  await pulumi.runtime.disconnect();
  removeMocksNow();
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
