/** Tests that a run writes only what its plan has shown, when the workspace or the program changes between its plan and its first write. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { engines, type ProviderEngine } from "../../provider/index.js";
import { interleaveRequest } from "./interleaved.js";
import {
  connected,
  emulatorForTests,
  type Ended,
  isolated,
  repository,
  setUp,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

vi.setConfig({ testTimeout: 900_000 });

const said = ({ stderr, stdout }: Ended) => `${stdout}${stderr}`.replaceAll(/\s+/g, " ");

/** The program reads its values anew each time that it runs: the first of each list in the plan, the second in the run. */
const PROGRAM = `
const { readFileSync, writeFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const { Group, Variable, WorkspaceMember } = require("pulumi-workspace-automation");
const { runs, ...values } = JSON.parse(readFileSync("values.json", "utf8"));
writeFileSync("values.json", JSON.stringify({ ...values, runs: runs + 1 }));
const at = (name) => values[name][Math.min(runs, values[name].length - 1)];
const ann = new WorkspaceMember("ann", { email: "ann@example.com" });
const bob = new WorkspaceMember("bob", { email: "bob@example.com" });
const qa = new Group("qa", {
  name: at("name"), description: at("description"), adopt: true, exclusive: true,
  members: at("members").map((name) => ({ ann, bob })[name]),
});
new Variable("key", { key: "KEY", value: pulumi.secret(at("secret")), description: qa.groupId.apply(String) });
`;

interface Groups {
  readonly groups: readonly { readonly id: number; readonly name: string }[];
}

async function openProgram(engine: ProviderEngine) {
  const folder = temporaryFolder();
  const root = join(folder, "program");
  const emulator = await emulatorForTests({ echoMemberEmail: true });
  const env = isolated(folder, {
    ...{ ...connected(emulator), ...stateIn(folder) },
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
  });
  mkdirSync(root);
  const plugin = "{ name: workspace-automation, path: ./node_modules/pulumi-workspace-automation/plugin }";
  writeFileSync(
    join(root, "Pulumi.yaml"),
    `name: changing\nruntime: nodejs\nplugins: { providers: [${plugin}] }\nconfig: { "workspace-automation:engine": ${engine} }\n`,
  );
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "changing", main: "index.js" }));
  writeFileSync(join(root, "index.js"), PROGRAM);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
  const same = { name: ["QA"], description: ["x"], members: [["ann"]], secret: ["s"], runs: 0 };
  const up = (values: object, variables = env) => {
    writeFileSync(join(root, "values.json"), JSON.stringify({ ...same, ...values }));
    emulator.journal.clear();
    return workspacectl(["up", "--yes", "--program", ".", "--create-stack"], root, variables);
  };
  /** Runs the program, which changes meanwhile. @returns what it has written */
  const refused = async (values: object, message: RegExp) => {
    const ended = await up(values);
    expect(said(ended)).toMatch(message);
    expect(ended.code).toBe(1);
    return emulator.journal.writes().map(({ method, path }) => `${method} ${path.replace(/.*acme/, "")}`);
  };
  /** Runs the program, while somebody sends a request. @returns what it has written */
  const refusedAfter = async (
    [method, path, body]: readonly [method: string, path: string, body?: object],
    values: object,
    message: RegExp,
  ) => {
    const between = await interleaveRequest(emulator, env, method, path, body);
    const ended = await up(values, between.env);
    expect(said(ended)).toMatch(message);
    expect(ended.code).toBe(1);
    return between.writes();
  };
  const get = async <T>(path: string) =>
    (await emulator.edit({ method: "GET", path: `/workspaces/acme${path}` })).body as T;
  const group = async () => (await get<Groups>("/groups")).groups[0]!.id;
  return { up, refused, refusedAfter, get, group };
}

describe.each(engines)("a program with the engine %s", (engine) => {
  it("writes the arguments of its plan, adopts what that has shown, and removes nobody else", async () => {
    const { up, refused, refusedAfter, get, group } = await openProgram(engine);
    const members = ["POST /members", "POST /members"];
    expect(await refused({ name: ["QA", "QB"] }, /to create Group .*with another name/)).toEqual(members);
    expect(
      await refusedAfter(
        ["POST", "/groups", { name: "QA", description: "of others" }],
        {},
        /does not contain this step: to adopt Group acme\/\d+, which the plan did not find/,
      ),
    ).toEqual([]);
    expect(
      await refusedAfter(
        ["PATCH", `/groups/${await group()}`, { description: "x" }],
        { description: ["of others"] },
        /to adopt Group acme\/\d+ with another description/,
      ),
    ).toEqual([]);
    expect(
      await refusedAfter(
        ["DELETE", `/groups/${await group()}`],
        {},
        /does not contain this step: to create Group .*instead of adopting acme\/\d+\./,
      ),
    ).toEqual([]);
    // The variable depends on the group.
    expect(await refused({ secret: ["s", "t"] }, /to create Variable .*with another value/)).toEqual([
      "POST /groups",
      expect.stringMatching(/^POST .*members$/),
    ]);
    const first = await up({});
    expect([first.code, said(first)]).toEqual([0, expect.stringContaining("1 created")]);

    expect(await refused({ description: ["y", "z"] }, /to update Group .*with another description/)).toEqual(
      [],
    );
    expect(await refused({ secret: ["t", "u"] }, /to update Variable .*with another value/)).toEqual([]);
    const { members: all } = await get<{ members: readonly { id: number; email?: string }[] }>("/members");
    const bob = all.find(({ email }) => email === "bob@example.com")!.id;
    expect(
      await refusedAfter(
        ["POST", `/groups/${await group()}/members`, { id: bob }],
        { members: [[]] },
        /to remove (bob@example\.com|member \d+) from groups\/\d+\/members, which the plan did not find there/,
      ),
    ).toEqual([]);
  });
});

it("shows what a failed replacement has left, and then deletes it", async () => {
  const { folder, file, env, run, get, edit, emulator } = await setUp(
    "version: 1\nworkspace: acme\ngroups: { QA: {}, B: {} }\n",
  );
  expect((await run("up", "--yes", "--create-stack")).code).toBe(0);
  await edit("POST", "/groups", { name: "QA before" });
  const { groups } = await get<Groups>("/groups");
  const left = groups.find(({ name }) => name === "QA before")!.id;
  const exported = JSON.parse((await run("stack", "export")).stdout) as {
    deployment: { resources: { urn: string; id: string; delete?: boolean; outputs?: object }[] };
  };
  const { resources } = exported.deployment;
  const qa = resources.find(({ urn }) => urn.endsWith("groups/QA"))!;
  const outputs = { ...qa.outputs, groupId: left, name: "QA before" };
  resources.push({ ...qa, id: `acme/${left}`, delete: true, outputs });
  const state = `${file}.json`;
  writeFileSync(state, JSON.stringify(exported));
  const words = ["pulumi", "--", "stack", "import", "--file", state, "--stack", "dev"];
  const imported = await workspacectl(words, folder, env);
  expect(imported.code, imported.stderr).toBe(0);
  emulator.journal.clear();
  const up = await run("up", "--yes");
  expect(said(up)).toContain(
    `- group QA (replaced, ${left}) Plan: 0 to create, 0 to update, 1 to delete, 2 unchanged.`,
  );
  expect(up.code).toBe(0);
  expect(emulator.journal.writes()).toMatchObject([
    { method: "DELETE", path: `/workspaces/acme/groups/${left}` },
  ]);
  expect((await run("preview")).stdout).toContain("No changes: 2 objects");
});
