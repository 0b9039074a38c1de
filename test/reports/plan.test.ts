/** Tests how a plan is arranged for people: as a tree of the workspace, in the order of the file. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import pc from "picocolors";
import { expect, it } from "vitest";
import type { Io } from "../../reports/io.js";
import { listContents, planTree } from "../../reports/plan/plan-tree.js";
import { formatRowLines, listRows, printRows } from "../../reports/plan/print-plan.js";
import { type LoadedFile, readDeclarations } from "../../workspace-file/load/load.js";
import { done, told, UNKNOWN, urn } from "../automation/events.js";
import { fileIn, temporaryFolder, testIo } from "../cli/support.js";

const declared = readDeclarations(
  fileIn(
    temporaryFolder(),
    "workspace.yaml",
    `version: 1
workspace: acme
variables:
  REGION: us-east
  API: { value: x }
projects:
  web:
    variables: { NODE_ENV: production }
    pipelines:
      Deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Build, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }
          - { name: Check, type: PING, triggerTime: ON_FAILURE, destination: a.example.com }
          - { name: Ship, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }
groups:
  QA: { members: [ann@example.com] }
members:
  ann@example.com: { admin: true }
permissionSets: {}
`,
  ),
);

const pipeline = "projects/web/pipelines/Deploy";
const created = (type: string, name: string, args: object = {}) =>
  done("create", [type, name], undefined, { ...args });

function shown(events: readonly EngineEvent[], file: LoadedFile | null = declared, details = false): string {
  const { io, written } = testIo();
  printRows(listRows(told(events), { details }, io, file ?? undefined), io);
  return written().stdout;
}

const all = [
  created("WorkspaceMember", "members/ann@example.com", { admin: true }),
  created("GroupMember", "groups/QA/members/ann@example.com"),
  created("Group", "groups/QA", { name: "QA" }),
  created("Variable", "variables/API", { key: "API", encrypted: true }),
  created("Variable", "variables/REGION", { key: "REGION" }),
  created("ActionOrder", `${pipeline}/actionOrder`, { actions: [UNKNOWN, UNKNOWN, UNKNOWN] }),
  created("Action", `${pipeline}/actions/Ship`, { triggerTime: "ON_EVERY_EXECUTION" }),
  created("Action", `${pipeline}/actions/Check`, { triggerTime: "ON_FAILURE" }),
  created("Action", `${pipeline}/actions/Build`, { triggerTime: "ON_EVERY_EXECUTION" }),
  created("Pipeline", pipeline, { triggerMode: "MANUAL", refName: "main" }),
  created("Variable", "projects/web/variables/NODE_ENV", { key: "NODE_ENV" }),
  created("Project", "projects/web", { name: "web" }),
];

it("has the order of the file, whatever the order of the events", () => {
  expect(shown(all)).toMatchInlineSnapshot(`
    "+ variables: REGION, API (secret)
    + project web  variable NODE_ENV
      + pipeline Deploy  only when it is started
          1 Build · 2 Ship
          when a run fails: Check
    + group QA (ann@example.com)
    + member ann@example.com (administrator)
    "
  `);
  expect(shown(all.toReversed())).toBe(shown(all));
});

it("contains each operation exactly once", () => {
  const { io } = testIo();
  for (const details of [false, true]) {
    const rows = listRows(told(all), { details }, io, declared);
    const names = rows.flatMap(({ steps }) => steps.map(({ type, name }) => `${type} ${name}`));
    expect(names.toSorted()).toEqual(
      told(all)
        .steps.map(({ type, name }) => `${type} ${name}`)
        .toSorted(),
    );
  }
});

it("says the place of a new action, and its order only where something else moves", () => {
  const order = (before: unknown[], after: unknown[]) =>
    done("update", ["ActionOrder", `${pipeline}/actionOrder`], { actions: before }, { actions: after });
  const check = created("Action", `${pipeline}/actions/Check`, { triggerTime: "ON_FAILURE" });
  expect(shown([check, order([1, 2], [1, UNKNOWN, 2])])).toMatchInlineSnapshot(`
    "  project web
        pipeline Deploy
        + action Check (2nd of 3; when a run fails)
        ~ action order  only for what is new or deleted
    "
  `);
  expect(shown([order([1, 2], [2, 1])])).toContain("actions  [1,2] → [2,1]");
  // Without a file, nothing else says where it is.
  expect(shown([check, order([1, 2], [1, UNKNOWN, 2])], null)).toContain("(known later)");
});

it("counts what a deleted or released object contains, and lists what happens otherwise", () => {
  const gone = (type: string, name: string) => done("delete", [type, name], { name });
  const kept = gone("Variable", "projects/old/variables/KEEP");
  Object.assign(kept.resOutputsEvent?.metadata.old ?? {}, { retainOnDelete: true });
  const events = [
    gone("Project", "projects/old"),
    gone("Pipeline", "projects/old/pipelines/p"),
    gone("ActionOrder", "projects/old/pipelines/p/actionOrder"),
    gone("Action", "projects/old/pipelines/p/actions/A"),
    gone("Action", "projects/old/pipelines/p/actions/B"),
    kept,
  ];
  expect(shown(events)).toMatchInlineSnapshot(`
    "- project old  with 1 pipeline, 2 actions
      ○ variable KEEP
    "
  `);
});

it("says of an outside change once that it is undone, and nothing of one that the file declares", () => {
  const before = { name: "QA", description: "Testers" };
  const outside = { name: "QA", description: "Hobby club", members: ["eve"] };
  const events = [
    done("refresh", ["Group", "groups/QA"], before, outside),
    done("update", ["Group", "groups/QA"], outside, { ...outside, description: "Testers" }),
    done("refresh", ["Variable", "variables/REGION"], { value: "a" }, { value: "us-east" }),
    done("same", ["Variable", "variables/REGION"], { value: "us-east" }, { value: "us-east" }),
    done("refresh", ["Variable", "variables/GONE"], { value: "a" }, undefined),
  ];
  expect(shown(events)).toMatchInlineSnapshot(`
    "~ group QA  changed outside
        description  "Hobby club" → "Testers"
    "
  `);
});

it("shows objects whose names are no paths of a file by their whole names", () => {
  const bucket = done("create", ["Bucket", "my/bucket"], undefined, {});
  const named = created("Group", "some-group", { name: "QA" });
  expect(shown([bucket, named], null)).toMatchInlineSnapshot(`
    "+ Bucket my/bucket
    + group some-group
    "
  `);
});

it("has no name that can leave its row", () => {
  const nasty = "groups/a\n+ project evil\u001b[31m\u202e";
  const event = done("update", ["Group", nasty], { description: "a" }, { description: "b" });
  Object.assign(event.resOutputsEvent?.metadata.old ?? {}, { urn: urn("Group", "groups/x\n- all") });
  const text = shown([event, created("Group", `${nasty}2`, { name: "a" })]);
  expect(text.split("\n")).toHaveLength(4);
  for (const sign of ["\u001b", "\u202e", "\n+ project"]) expect(text).not.toContain(sign);
});

it("wraps rows at words, and shortens a name that is longer than the screen in its middle", () => {
  const { io } = testIo();
  const narrow: Io = {
    ...io,
    colors: pc.createColors(false),
    stdout: Object.assign(Object.create(io.stdout) as Io["stdout"], { isTTY: true, columns: 40 }),
  };
  const long = `variables/${"A".repeat(30)}_${"B".repeat(30)}`;
  const events = [...all, created("Variable", long, { key: "x" })];
  const lines = listRows(told(events), {}, narrow, declared).flatMap((row) => formatRowLines(row, narrow));
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  expect(lines.join("\n")).toMatch(/A{10,}…_?B{10,}/);
  expect(lines.filter((line) => /^ *·/.test(line))).toEqual([]);
});

it("has a node for each object that contains a changed one", () => {
  const tree = planTree(told([created("Action", `${pipeline}/actions/Build`)]), declared);
  expect(listContents({ children: tree }).map(({ type, key }) => `${type} ${key}`)).toEqual([
    "Project web",
    "Pipeline Deploy",
    "Action Build",
  ]);
});
