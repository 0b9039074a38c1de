/**
 * `pulumi import` of an object of every type that can be read, of every type of action by its general and its own type, and of values that the
 * service never shows: the code that Pulumi generates changes nothing. The registry lists the types, so a new one is tested too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { importForms, importId } from "../../resources/definition/import-id.js";
import { listVariantTypes } from "../../resources/package-types.js";
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

/** Objects with arguments that the service never shows, besides those in the examples. */
const hidden: Readonly<Record<string, readonly object[]>> = {
  Variable: [
    { key: "API_KEY", value: "planted", encrypted: true },
    { key: "DEPLOY_KEY", value: "planted", sshKey: true },
  ],
  "Action HTTP": [
    { name: "Call", login: "deploy", password: "planted", headers: [{ name: "A", value: "planted" }] },
  ],
};

/** Creates an object of every type and variant from the example of its definition. */
async function createAll(emulator: Emulator): Promise<Imported[]> {
  const engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
  const created: Imported[] = [];
  for (const definition of importable) {
    const { type, examples } = definition;
    for (const { name = type, kind } of [{ kind: undefined }, ...listVariantTypes(definition)]) {
      const variant = kind === undefined ? undefined : definition.variants?.of[kind];
      if (definition.variants && variant === undefined) continue;
      for (const more of [{}, ...(hidden[kind === undefined ? type : `${type} ${kind}`] ?? [])]) {
        const example = { ...examples.create, ...variant?.examples.create, ...more };
        const args = await withPrerequisites(engine, type, example);
        const { outs } = await engine.create(type, { ...args, adopt: true });
        const id = importId(definition, emulator.workspace, outs);
        for (const token of new Set([type, name]))
          created.push({
            type: `workspace-automation:index:${token}`,
            name: `${token.toLowerCase()}${created.length}`,
            id,
          });
      }
    }
  }
  return created;
}

it.skipIf(noGo !== undefined).each([
  ["shows", true],
  ["hides", false],
])("imports every type, with code that changes nothing: a service that %s addresses", async (_, echoes) => {
  const options = { strictBodies: true, echoMemberEmail: echoes, actionSeconds: 0 };
  const emulator = await emulatorForTests({ ...options, seed: exampleSeed });
  const folder = temporaryFolder();
  const plugin = JSON.stringify(join(repository, "packages/library/plugin"));
  const project = `name: imported
runtime: yaml
plugins:
  providers:
    - { name: workspace-automation, path: ${plugin} }
`;
  writeFileSync(join(folder, "Pulumi.yaml"), `${project}resources: {}\n`);
  const resources = await createAll(emulator);
  const variants = importable.flatMap(listVariantTypes);
  expect(new Set(resources.map(({ type }) => type)).size).toBe(importable.length + variants.length);
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
