/** Measures what Pyright offers and refuses in programs with the generated Python SDK: each type lists its own arguments and no others. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { definitions } from "../../provider/index.js";
import { listVariantTypes, type PackageType } from "../../resources/package-types.js";
import { findConverted, listAllExamples } from "../../scripts/generate/package-schema/converted.js";
import { languageProgram, missingGo } from "../e2e/language-hosts.js";
import { repository, temporaryFolder } from "../e2e/support.js";
import { findTypeErrors, Pyright } from "./pyright.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const noGo = await missingGo();
const types = definitions.flatMap((definition): PackageType[] => [
  { name: definition.type, definition, implied: {} },
  ...listVariantTypes(definition),
]);
const folder = temporaryFolder();
const programs = join(folder, "programs");
const python = join(folder, "venv/bin/python");
let pyright: Pyright | undefined;

beforeAll(async () => {
  if (noGo !== undefined) return;
  await execa("python3", ["-m", "venv", join(folder, "venv")]);
  await execa(python, ["-m", "pip", "install", "--quiet", "pulumi>=3.231.0,<4.0.0"]);
  const generator = join(await languageProgram("generate-sdk"), "generate-sdk");
  await execa(generator, ["python", join(repository, "schema/pulumi.schema.json"), join(folder, "sdk")]);
  // Among the installed packages, where Pyright does not report what Pulumi's generator writes.
  const { stdout: installed } = await execa(python, ["-c", "import site; print(site.getsitepackages()[0])"]);
  const name = "pulumi_workspace_automation";
  cpSync(join(folder, "sdk", name), join(installed, name), { recursive: true });
  mkdirSync(programs);
  pyright = await Pyright.start(programs, python);
});
afterAll(() => pyright?.stop());

const start = "import pulumi\nimport pulumi_workspace_automation as workspace\n";

async function complete(program: string): Promise<string[][]> {
  if (pyright === undefined) throw new Error("Pyright does not run.");
  return pyright.complete(start + program);
}

/** The named arguments among what is offered. */
const named = (offered: readonly string[] = []) =>
  offered.filter((label) => label.endsWith("=")).map((label) => label.slice(0, -1));
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

it("completes the arguments of each type and no others", async ({ skip }) => {
  if (noGo !== undefined) skip(noGo);
  const classes = await complete(types.map(({ name }) => `workspace.${name}("one", |)\n`).join(""));
  const args = await complete(types.map(({ name }) => `workspace.${name}Args(|)\n`).join(""));
  // What Pulumi adds to each class of each SDK.
  const common = ["resource_name", "opts", "args", "__props__"];
  for (const [at, { name, definition, kind = "", implied }] of types.entries()) {
    const shape = { ...definition.args.shape, ...allOrOne(definition, kind) };
    const own = Object.keys(shape)
      .filter((arg) => !(arg in implied))
      .map(snake);
    expect(named(args[at]).toSorted(), `${name}Args`).toEqual(own.toSorted());
    expect(named(classes[at]).toSorted(), name).toEqual([...own, ...common].toSorted());
  }
});

/** The arguments of a variant; without one, those of all variants. */
function allOrOne({ variants }: PackageType["definition"], kind: string): object {
  if (kind !== "") return variants?.of[kind]?.args ?? {};
  return Object.assign({}, ...Object.values(variants?.of ?? {}).map(({ args }) => args)) as object;
}

it("completes values, keys within arguments, and the outputs of one action type", async ({ skip }) => {
  if (noGo !== undefined) skip(noGo);
  const [times, keys, outputs] = await complete(`
workspace.BuildAction("build", trigger_time=workspace.ActionTriggerTime.|)
workspace.HttpAction("call", headers=[{"|"}])
ping = workspace.PingAction("ping")
ping.|
`);
  expect(times).toEqual(expect.arrayContaining(["ON_EVERY_EXECUTION", "ON_FAILURE"]));
  expect(keys?.map((key) => key.replaceAll('"', "")).toSorted()).toEqual(["name", "value"]);
  expect(outputs).toEqual(expect.arrayContaining(["action_id", "destination", "trigger_time"]));
  expect(outputs).not.toContain("execute_commands");
});

it("accepts the programs of the pages, and refuses wrong arguments", async ({ skip }) => {
  if (noGo !== undefined) skip(noGo);
  const examples = listAllExamples();
  for (const example of examples) {
    const name = example.id.replace(/\W/g, "_");
    writeFileSync(join(programs, `${name}.py`), findConverted(example)?.python ?? "");
  }
  cpSync(join(repository, "examples/languages/python/__main__.py"), join(programs, "main.py"));
  writeFileSync(
    join(programs, "wrong.py"),
    `${start}workspace.PingAction("ping", execute_commands=["npm test"])
workspace.BuildActionArgs(name="Build", pipeline=7, trigger_time=workspace.ActionTriggerTime.ON_FAILURE)
workspace.Group("group", members=7)
print(workspace.PingAction("ping").execute_commands)
`,
  );
  const errors = await findTypeErrors(programs, python);
  expect(errors.map((error) => error.split(":", 2).join(":"))).toEqual(
    [3, 4, 5, 6].map((line) => `wrong.py:${line}`),
  );
  expect(errors[1]).toContain('"container_image_name"');
});
