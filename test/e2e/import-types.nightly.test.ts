/**
 * `pulumi import` of an object of every type that can be read, and of every type of action: the code that Pulumi generates changes
 * nothing. The registry lists the types, so a new one is tested too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { importForms, importId } from "../../provider/definition/import-id.js";
import { Engine } from "../provider/engine.js";
import { exampleSeed, withPrerequisites } from "../provider/prerequisites.js";
import { languageProgram, missingGo } from "./language-hosts.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
} from "./support.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

interface Imported {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

const importable = definitions.filter((definition) => importForms(definition).length > 0);
const noGo = await missingGo();
let emulator: Emulator;

beforeAll(async () => {
  const options = { strictBodies: true, echoMemberEmail: true, actionSeconds: 0 };
  emulator = await emulatorForTests({ ...options, seed: exampleSeed });
});

/** Creates an object of every type and variant from the example of its definition. */
async function createAll(): Promise<Imported[]> {
  const engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  const created: Imported[] = [];
  for (const definition of importable) {
    const { type, examples } = definition;
    for (const variant of definition.variants ? Object.values(definition.variants.of) : [undefined]) {
      const args = await withPrerequisites(engine, type, { ...examples.create, ...variant?.examples.create });
      const { outs } = await engine.create(type, { ...args, adopt: true });
      created.push({
        type: `workspace-automation:index:${type}`,
        name: `${type.toLowerCase()}${created.length}`,
        id: importId(definition, emulator.workspace, outs),
      });
    }
  }
  return created;
}

it.skipIf(noGo !== undefined)("imports every type, with code that changes nothing", async () => {
  const folder = temporaryFolder();
  const plugin = JSON.stringify(join(repository, "packages/library/plugin"));
  const project = `name: imported
runtime: yaml
plugins:
  providers:
    - { name: workspace-automation, path: ${plugin} }
`;
  writeFileSync(join(folder, "Pulumi.yaml"), `${project}resources: {}\n`);
  const resources = await createAll();
  expect(new Set(resources.map(({ type }) => type)).size).toBe(importable.length);
  writeFileSync(join(folder, "import.json"), JSON.stringify({ resources }));
  const env = isolated(folder, {
    ...connected(emulator),
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    PATH: [await languageProgram("pulumi-language-yaml"), process.env["PATH"]].join(delimiter),
  });
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await pulumi(argv, folder, env);
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    return stdout;
  };
  await run("stack", "init", "test");
  emulator.journal.clear();
  const flags = ["--yes", "--protect=false", "--out", "generated.yaml"];
  expect(await run("import", "--file", "import.json", ...flags)).toContain(`${resources.length} imported`);
  const generated = readFileSync(join(folder, "generated.yaml"), "utf8");
  writeFileSync(join(folder, "Pulumi.yaml"), project + generated.slice(generated.indexOf("resources:")));
  await run("preview", "--expect-no-changes", "--diff");
  await run("refresh", "--yes", "--expect-no-changes");
  expect(emulator.journal.writes()).toEqual([]);
});
