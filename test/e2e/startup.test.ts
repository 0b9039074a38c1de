/** Tests which modules commands load at startup, which takes most of the time of a short command. Needs a build. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import {
  connected,
  emulatorForTests,
  isolated,
  quickstart,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const file = quickstart(folder);

/** Logs every module of a process: ES modules when they are loaded, others at its end. */
const preload = join(folder, "preload.mjs");
const loaded = join(folder, "loaded.txt");
writeFileSync(
  preload,
  `import { register, Module } from "node:module";
import { appendFileSync } from "node:fs";
register("data:text/javascript," + encodeURIComponent(\`
  import { appendFileSync } from "node:fs";
  export async function load(url, context, next) {
    appendFileSync(${JSON.stringify(loaded)}, url + "\\\\n");
    return next(url, context);
  }\`));
process.on("exit", () => appendFileSync(${JSON.stringify(loaded)}, Object.keys(Module._cache).join("\\n")));
`,
);

/** Returns the files that a command loads. */
async function modulesOf(argv: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string[]> {
  writeFileSync(loaded, "");
  const env = { ...isolated(folder, more), NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
  const { code, stderr } = await workspacectl(argv, folder, env);
  expect(code, stderr).toBe(0);
  return readFileSync(loaded, "utf8")
    .split("\n")
    .filter((name) => name !== "" && !name.startsWith("node:"));
}

const packages = (modules: readonly string[]) => [
  ...new Set(modules.flatMap((name) => /node_modules\/((@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [])),
];

function bytesOf(modules: readonly string[]): number {
  const sizes = modules.map((name) => statSync(name.startsWith("file:") ? fileURLToPath(name) : name).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

it("printing the version loads only a few files", async () => {
  const modules = await modulesOf(["--version"]);
  expect(packages(modules)).toEqual([]);
  expect(modules.length).toBeLessThan(18);
  expect(bytesOf(modules)).toBeLessThan(38_000);
});

it("validating a file loads only bundled code", async () => {
  const modules = await modulesOf(["validate", "-f", file]);
  expect(packages(modules)).toEqual([]);
  expect(modules.length).toBeLessThan(70);
  // It loads the definitions with all that proves existence and compares spellings, which validation needs only in part.
  expect(bytesOf(modules)).toBeLessThan(1_315_000);
});

it("previewing a file loads no package of Pulumi's", async () => {
  const emulator = await emulatorForTests();
  const modules = await modulesOf(["preview", "-f", file], connected(emulator));
  const unwanted = /^(@pulumi\/.*|@grpc\/grpc-js|google-protobuf|typescript|@npmcli\/arborist|zod)$/;
  expect(packages(modules).filter((name) => unwanted.test(name))).toEqual([]);
});
