/** Compares the estimated number of requests with the actual one on the emulator. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { UNKNOWN } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { type EstimatedStep, estimateRequests, getDefinition } from "../../../provider/index.js";
import { Engine, type State } from "../engine.js";

let emulator: Emulator;
let engine: Engine;

beforeAll(async () => {
  emulator = await startEmulator({ strictBodies: true });
  engine = new Engine(emulator.baseUrl, emulator.token, emulator.workspace);
});
afterAll(() => emulator.close());
beforeEach(() => emulator.reset());

function step(
  operation: EstimatedStep["operation"],
  name: string,
  type: string,
  given: Partial<EstimatedStep>,
) {
  return { operation, name, definition: getDefinition(type), ...given };
}

async function onPaper(steps: readonly EstimatedStep[], sizes = new Map<string, number>()) {
  const counts = await estimateRequests({
    workspace: "acme",
    baseUrl: emulator.baseUrl,
    steps,
    sizes,
  });
  return {
    reads: counts.reduce((sum, { reads }) => sum + reads, 0),
    writes: counts.reduce((sum, { writes }) => sum + writes, 0),
  };
}

/** Counts the requests of operations in one run. */
async function forReal(work: () => Promise<unknown>) {
  emulator.journal.clear();
  await engine.run(work);
  const writes = emulator.journal.writes().length;
  return { reads: emulator.journal.requests.length - writes, writes };
}

const known = ({ inputs, outs }: State) => ({ ...inputs, ...outs });

describe("an estimate", () => {
  it("counts one lookup for all objects of a list and one request for each object", async () => {
    const args = [1, 2, 3].map((n) => ({ name: `group ${n}`, description: "x" }));
    const steps = args.map((after) => step("create", `groups/${after.name}`, "Group", { after }));
    const real = await forReal(async () => {
      for (const one of args) await engine.create("Group", one);
    });
    expect(await onPaper(steps)).toEqual(real);
    expect(real).toEqual({ reads: 1, writes: 3 });
  });

  it("counts two requests for an administrator, and the writes of a demotion", async () => {
    const after = { email: "eve@example.com", admin: true };
    let made: State | undefined;
    const real = await forReal(async () => (made = await engine.create("WorkspaceMember", after)));
    const steps = [step("create", "members/eve@example.com", "WorkspaceMember", { after })];
    expect(await onPaper(steps, new Map([["members", 4]]))).toEqual(real);
    expect(real).toEqual({ reads: 2, writes: 2 });

    const before = known(made!);
    const less = { ...after, admin: false };
    const demoted = await forReal(() => engine.up(made!, less));
    const said = await onPaper([
      step("update", "members/eve@example.com", "WorkspaceMember", { before, after: less }),
    ]);
    expect(said.writes).toBe(demoted.writes);
    expect(Math.abs(said.reads - demoted.reads)).toBeLessThanOrEqual(1);
  });

  it("counts the pages of long lists by their earlier length", async () => {
    const after = { name: "QA" };
    const steps = [step("create", "groups/QA", "Group", { after })];
    expect((await onPaper(steps, new Map([["groups", 0]]))).reads).toBe(1);
    expect((await onPaper(steps, new Map([["groups", 19]]))).reads).toBe(2);
    expect((await onPaper(steps, new Map([["groups", 20]]))).reads).toBe(2);
    expect((await onPaper(steps, new Map([["groups", 250]]))).reads).toBe(3);
  });

  it("counts no lookups in objects of the same plan: a project, its pipeline, actions and their order", async () => {
    const project = { name: "web", displayName: "Web" };
    const pipeline = {
      project: "web",
      name: "deploy",
      triggerMode: "MANUAL",
      refType: "BRANCH",
      refName: "main",
    };
    const action = (name: string) => ({
      project: "web",
      name,
      type: "PING",
      triggerTime: "ON_EVERY_EXECUTION",
      destination: "h",
    });
    const real = await forReal(async () => {
      await engine.create("Project", project);
      const { outs } = await engine.create("Pipeline", pipeline);
      const within = { pipeline: outs["pipelineId"] };
      const actions = [];
      for (const name of ["A", "B"])
        actions.push(await engine.create("Action", { ...action(name), ...within }));
      await engine.create("ActionOrder", {
        project: "web",
        ...within,
        actions: actions.map((a) => a.outs["actionId"]),
      });
    });
    const at = "projects/web/pipelines/deploy";
    const within = { pipeline: UNKNOWN };
    const said = await onPaper([
      step("create", "projects/web", "Project", { after: project }),
      step("create", at, "Pipeline", { after: pipeline }),
      step("create", `${at}/actions/A`, "Action", { after: { ...action("A"), ...within } }),
      step("create", `${at}/actions/B`, "Action", { after: { ...action("B"), ...within } }),
      step("create", `${at}/actionOrder`, "ActionOrder", {
        after: { project: "web", ...within, actions: [UNKNOWN, UNKNOWN] },
      }),
    ]);
    expect(said).toEqual(real);
  });

  it("counts nothing for unchanged and released objects", async () => {
    const before = { name: "QA", groupId: 5 };
    const steps = [
      step("same", "groups/QA", "Group", { before, after: { name: "QA" } }),
      step("release", "groups/Old", "Group", { before: { name: "Old", groupId: 6 } }),
    ];
    expect(await onPaper(steps)).toEqual({ reads: 0, writes: 0 });
  });

  it("counts an update that changes only a secret, and lookups of references that the state does not have", async () => {
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      ciphertext: "[secret]",
    };
    const variable = { key: "TOKEN", value: secret, encrypted: true };
    const said = await onPaper([
      step("update", "variables/TOKEN", "Variable", {
        before: { ...variable, variableId: 3 },
        after: variable,
      }),
    ]);
    expect(said.writes).toBe(1);
    const member = { group: "elsewhere", member: "somebody@example.com" };
    const other = await onPaper([
      step("create", "groups/elsewhere/members/x", "GroupMember", { after: member }),
    ]);
    expect(other).toEqual({ reads: 3, writes: 1 });
  });
});
