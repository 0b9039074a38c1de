/** What commands load before they do anything: it is most of what a short one takes. Needs a build. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
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

/** Notes every module of a process, ES modules as they are loaded and the others at its end. */
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

/** The files that a command loads. */
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

it("loads a handful of files to say its version", async () => {
  const modules = await modulesOf(["--version"]);
  expect(packages(modules)).toEqual([]);
  expect(modules.length).toBeLessThan(20);
});

it("validates a file with what is bundled", async () => {
  const modules = await modulesOf(["validate", "-f", file]);
  // A library for patterns of files looks for this one by itself.
  expect(packages(modules)).toEqual(["picomatch"]);
  expect(modules.length).toBeLessThan(45);
});

it("loads of Pulumi's SDK only the messages of its protocol to preview a file", async () => {
  const emulator = await emulatorForTests();
  const modules = await modulesOf(["preview", "-f", file], connected(emulator));
  const sdk = modules.filter((name) => name.includes("node_modules/@pulumi/"));
  expect(sdk.length).toBeGreaterThan(0);
  expect(sdk.filter((name) => !name.includes("/@pulumi/pulumi/proto/"))).toEqual([]);
  expect(packages(modules).toSorted()).toEqual(
    expect.not.arrayContaining(["typescript", "@npmcli/arborist", "undici", "zod"]),
  );
});
