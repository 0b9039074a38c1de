/** Tests the state of a stack as a source, including resources with arbitrary names from a program. */
import { describe, expect, it } from "vitest";
import { compareSources } from "../../../../automation/compare/compare-sources.js";
import { type ComparedSource, joinSteps } from "../../../../automation/compare/compared-source.js";
import { buildSourceOfFile as fileSide } from "../../../../automation/compare/sources/file.js";
import { buildSourceOfState as stateSide, findPeople } from "../../../../automation/compare/sources/stack.js";
import type { StateEntry } from "../../../../automation/stack/state.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";

type Fields = Readonly<Record<string, unknown>>;

const resource = (type: string, id: string, inputs: Fields, outputs: Fields = {}): StateEntry => ({
  urn: `urn:pulumi:us::shop::pulumi-nodejs:dynamic/workspace-automation:${type}::anything-${id}`,
  type: `pulumi-nodejs:dynamic/workspace-automation:${type}`,
  id: `acme/${id}`,
  inputs,
  outputs: { ...inputs, ...outputs, address: "https://service.example/workspaces/acme" },
});
const ping = (id: string, name: string) =>
  resource("Action", `7/${id}`, {
    pipeline: 7,
    project: "web",
    name,
    type: "PING",
    triggerTime: "ON_EVERY_EXECUTION",
    destination: "x",
  });

const made: readonly StateEntry[] = [
  resource("WorkspaceMember", "3", { email: "ann@example.com" }, { name: "Ann" }),
  resource("Group", "4", { name: "QA", members: [3, "bob@example.com"], exclusive: true }),
  resource("Project", "web", { name: "web" }),
  resource("Pipeline", "web/7", {
    project: "web",
    projectId: "acme/web",
    name: "deploy",
    triggerMode: "MANUAL",
    refType: "BRANCH",
    refName: "main",
  }),
  ping("9", "Second"),
  ping("8", "First"),
  resource("Variable", "5", { pipeline: 7, key: "STAGE", value: "live" }),
  resource("Variable", "6", {
    action: 9,
    pipeline: 7,
    key: "API_KEY",
    encrypted: true,
    value: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:..." },
  }),
  resource("Pipeline", "elsewhere/11", {
    project: "elsewhere",
    name: "tidy",
    triggerMode: "MANUAL",
    refType: "BRANCH",
    refName: "main",
  }),
  resource("Variable", "12", { action: 99, pipeline: "gone", project: "elsewhere", key: "LEFT", value: "x" }),
];
const order = (...actions: number[]) =>
  resource("ActionOrder", "7/order", { pipeline: 7, project: "web", actions });
const state = (...more: StateEntry[]): ComparedSource =>
  stateSide([...made, ...more], { name: "us", kind: "stack", stack: "us" });

const file = (text: string): ComparedSource =>
  fileSide(readDeclarations("-", { mock: true, stdin: () => `version: 1\n${text}` }), {
    name: "file",
    kind: "file",
  });
const action = (name: string, more = "") =>
  `{ name: ${name}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: x${more} }`;
const same = file(`members: { ann@example.com: {}, bob@example.com: { external: true } }
groups: { QA: { members: [ann@example.com, bob@example.com] } }
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { STAGE: live }
        actions:
          - ${action("First")}
          - ${action("Second", ', variables: { API_KEY: { encrypted: true, value: "${env:NONE}" } }')}
  elsewhere: { external: true, pipelines: { tidy: { triggerMode: MANUAL, refType: BRANCH, refName: main } } }
`);
const told = (left: ComparedSource, right: ComparedSource) =>
  compareSources(left, right, "00").findings.map(({ class: of, name, path }) =>
    `${of} ${name} ${path}`.trim(),
  );

describe("the state of a stack", () => {
  it("names objects as a file would, whatever the names of the resources", () => {
    expect(
      state(order(8, 9))
        .objects.map(({ steps }) => joinSteps(steps))
        .toSorted(),
    ).toEqual([
      "groups/QA",
      "groups/QA/members/ann@example.com",
      "groups/QA/members/bob@example.com",
      "members/ann@example.com",
      "projects/elsewhere/pipelines/gone/actions/99/variables/LEFT",
      "projects/elsewhere/pipelines/tidy",
      "projects/web",
      "projects/web/pipelines/deploy",
      "projects/web/pipelines/deploy/actions/First",
      "projects/web/pipelines/deploy/actions/Second",
      "projects/web/pipelines/deploy/actions/Second/variables/API_KEY",
      "projects/web/pipelines/deploy/variables/STAGE",
    ]);
    expect(state().facts).toMatchObject({ workspace: "acme", baseUrl: "https://service.example" });
  });

  it("equals the corresponding file, except for encrypted values, which are unverifiable", () => {
    expect(told(state(order(8, 9)), same)).toEqual([
      "missing projects/elsewhere/pipelines/gone/actions/99/variables/LEFT",
      "unverifiable projects/web/pipelines/deploy/actions/Second/variables/API_KEY value",
    ]);
  });

  it("leaves out what a program only reads, and does not call it missing on the other side", () => {
    const read = (one: StateEntry): StateEntry => ({ ...one, external: true });
    const ops = read(resource("Group", "20", { name: "Ops", description: "read" }));
    const left = state(order(8, 9), ops, read(resource("Project", "elsewhere", { name: "elsewhere" })));
    expect(told(left, same)).toEqual(told(state(order(8, 9)), same));
    const declaring = file("groups: { Ops: { description: declared } }\n");
    expect(told(stateSide([ops], { name: "us", kind: "stack" }), declaring)).toEqual([]);
  });

  it("knows people by their numbers in its own workspace only", () => {
    const elsewhere = "https://other.example/workspaces/acme";
    const member = resource("WorkspaceMember", "3", { email: "eve@example.com" }, {});
    const moved = { ...member, outputs: { ...member.outputs, address: elsewhere } };
    const people = findPeople([...made, moved]);
    expect(people("https://service.example/workspaces/acme").get("WorkspaceMember")?.get(3)).toBe(
      "ann@example.com",
    );
    expect(people(elsewhere).get("WorkspaceMember")?.get(3)).toBe("eve@example.com");
  });

  it("masks a value on the other side that it contains only encrypted", () => {
    const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const left = stateSide([resource("Group", "4", { name: "QA", description: encrypted })], {
      name: "us",
      kind: "stack",
    });
    const right = file("groups: { QA: { description: words-in-clear } }\n");
    const { findings } = compareSources(left, right, "00");
    expect(findings).toMatchObject([{ path: "description", secret: true, notKnown: ["left"] }]);
    expect(JSON.stringify(findings)).not.toContain("words-in-clear");
  });

  it("contains the order of actions if the program does, and is unverifiable otherwise", () => {
    expect(told(state(order(9, 8)), same)).toContain("changed projects/web/pipelines/deploy actions");
    expect(told(state(), same)).toContain("unverifiable projects/web/pipelines/deploy actions");
  });

  it("reports a missing object once, without its contents", () => {
    expect(told(state(order(8, 9)), file("members: { ann@example.com: {} }\n")).toSorted()).toEqual([
      "missing groups/QA",
      "missing projects/elsewhere/pipelines/gone/actions/99/variables/LEFT",
      "missing projects/elsewhere/pipelines/tidy",
      "missing projects/web",
    ]);
  });

  it("is compared with another state, in which only encrypted values are unverifiable", () => {
    const other = stateSide(
      [...made, order(8, 9)].map((one) =>
        one.inputs?.["key"] === "STAGE" ? { ...one, inputs: { ...one.inputs, value: "test" } } : one,
      ),
      { name: "eu", kind: "stack", stack: "eu" },
    );
    expect(told(state(order(8, 9)), other)).toEqual([
      "changed projects/web/pipelines/deploy/variables/STAGE value",
      "unverifiable projects/web/pipelines/deploy/actions/Second/variables/API_KEY value",
    ]);
  });
});
