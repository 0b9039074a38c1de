/**
 * Tests the words that only say how a file finds its objects (`adopt`, the number of an object, `key`, `previously`), for each kind that takes
 * them: they are no part of a state or a comparison, and a state that contains them loses them without a difference.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listDriftDifferences } from "../../automation/plan/outside-changes.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { listComparableArgs } from "../../resources/definition/which-arguments.js";
import { readDeclarations } from "../../workspace-file/load/load.js";
import { fileIn, temporaryFolder } from "../cli/support.js";
import { Engine } from "./engine.js";
import { exampleSeed, withPrerequisites } from "./prerequisites.js";

let emulator: Emulator;
let engine: Engine;
const folder = temporaryFolder();

beforeAll(async () => {
  emulator = await startEmulator({ seed: exampleSeed, actionSeconds: 0, echoMemberEmail: true });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());

const among = (words: object, names: readonly string[]) => names.filter((name) => name in words);

describe.each(definitions.filter(({ document }) => document !== undefined))("$type", (definition) => {
  const { type, document, variants } = definition;
  const variant = Object.values(variants?.of ?? {})[0];
  const number = document?.numberedBy;
  const numberOf = (outs: Readonly<Record<string, unknown>>) =>
    number === undefined ? {} : { [number]: outs[definition.identity.state] };

  it(`loses adopt${number === undefined ? "" : ` and ${number}`} with the next run, without a difference`, async () => {
    const args = await withPrerequisites(engine, type, {
      ...definition.examples.create,
      ...variant?.examples.create,
    });
    const made = await engine.create(type, args);
    const words = { adopt: true, ...numberOf(made.outs) };
    const earlier = { ...made, inputs: { ...made.inputs, ...words }, outs: { ...made.outs, ...words } };

    const seen = (await engine.refresh(earlier)) ?? earlier;
    expect(among(words, Object.keys({ ...seen.inputs, ...seen.outs }))).toEqual([]);
    for (const declared of [args, { ...args, ...words }]) {
      const { changes, replaces } = await engine.diff(seen, declared);
      expect({ changes, replaces }).toEqual({ changes: false, replaces: [] });
      expect(among(words, listComparableArgs(definition, declared))).toEqual([]);
    }
    const side = (values: Readonly<Record<string, unknown>>) => ({ args: values, fingerprints: {} });
    const observed = {
      ...{
        definition,
        name: "one",
        replaced: false,
        open: new Set<string>(),
        changedSecrets: [],
        outputs: {},
        id: made.id,
      },
      ...{ urn: "urn", urnInState: "urn" },
      ...{ applied: side(earlier.inputs), live: side(seen.inputs), declared: side(seen.inputs) },
    };
    expect(listDriftDifferences(observed)).toEqual([]);
    await engine.delete(made);
  });
});

const places: readonly (readonly [string, ...(string | number)[]])[] = [
  ["WorkspaceMember", "members", "ann@example.com"],
  ["PermissionSet", "permissionSets", "deployers"],
  ["Group", "groups", "QA"],
  ["Variable", "variables", "REGION"],
  ["Project", "projects", "web"],
  ["ProjectMember", "projects", "web", "members", "ann@example.com"],
  ["RepositoryFile", "projects", "web", "files", "README.md"],
  ["Branch", "projects", "web", "branches", "develop"],
  ["Pipeline", "projects", "web", "pipelines", "deploy"],
  ["Action", "projects", "web", "pipelines", "deploy", "actions", 0],
];

/** Returns a file with every kind, with further words in one entry. */
function fileWith(path: readonly (string | number)[], words: object): string {
  const action = {
    name: "Build",
    type: "PING",
    triggerTime: "ON_EVERY_EXECUTION",
    destination: "a.example.com",
  };
  const pipeline = { triggerMode: "MANUAL", refType: "BRANCH", refName: "main", actions: [action] };
  const file: Record<string, unknown> = {
    version: 1,
    members: { "ann@example.com": {} },
    permissionSets: {
      deployers: {
        description: "May deploy",
        repositoryAccessLevel: "READ_ONLY",
        pipelineAccessLevel: "RUN_ONLY",
      },
    },
    groups: { QA: { members: ["ann@example.com"] } },
    variables: { REGION: { value: "us" } },
    projects: {
      web: {
        members: { "ann@example.com": { permissionSet: "deployers" } },
        files: { "README.md": { content: "Web" } },
        branches: { develop: {} },
        pipelines: { deploy: pipeline },
      },
    },
  };
  const entry = path.reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], file);
  Object.assign(entry as object, words);
  return JSON.stringify(file);
}

it("knows every kind that takes them", () => {
  const kinds = definitions.filter(({ document }) => document !== undefined && document.form !== "keys");
  expect(places.map(([type]) => type).toSorted()).toEqual(kinds.map(({ type }) => type).toSorted());
});

it.each(places)("%s is declared without key and previously", (type, ...path) => {
  const declared = (words: object) => {
    const { declarations } = readDeclarations(fileIn(folder, "workspace.yaml", fileWith(path, words)));
    return declarations.map(({ name, args, formerNames }) => ({ name, args, former: formerNames.length }));
  };
  const isItem = typeof path.at(-1) === "number";
  const plain = declared({});
  const worded = declared({ previously: ["former"], ...(isItem ? { key: "Build" } : {}) });
  expect(worded.map(({ name, args }) => ({ name, args }))).toEqual(
    plain.map(({ name, args }) => ({ name, args })),
  );
  expect(
    worded.some(({ former }) => former > 0),
    String(type),
  ).toBe(true);
});
