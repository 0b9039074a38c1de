/** Tests the programmatic API of the built package on the real engine: two workspaces at once, drift, cancellation, and that it prints nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import type * as Api from "../../cli/api/index.js";
import { editByHand, repository, setUp } from "./support.js";

const entry = pathToFileURL(join(repository, "packages/workspacectl/dist/bin/api.js")).href;
const { openWorkspace, render, AutomationError } = (await import(entry)) as typeof Api;

const declare = (groups: number) =>
  `version: 1\nworkspace: acme\ngroups:\n${Array.from({ length: groups }, (_, at) => `  G${at}: { description: Number ${at} }\n`).join("")}`;

const [us, eu] = await Promise.all([setUp(declare(3)), setUp(declare(4))]);

function open({ file, env }: typeof us, more: Api.WorkspaceOptions = {}) {
  const events: Api.AutomationEvent[] = [];
  return { events, workspace: openWorkspace({ file, env, on: (event) => events.push(event), ...more }) };
}

const groupsOf = async ({ get }: typeof us) =>
  (await get<{ groups: { name: string }[] }>("/groups")).groups.map(({ name }) => name).sort();

describe.sequential("a program with two workspaces", () => {
  it("previews and applies both at once, and asks before it does", async () => {
    const listeners = process.eventNames().map((name) => process.listenerCount(name));
    const questions: Api.ConfirmationRequest[] = [];
    const ask = (question: Api.ConfirmationRequest) => questions.push(question) > 0;
    const [one, other] = [open(us, { ask }), open(eu)];
    const previews = await Promise.all([one.workspace.preview(), other.workspace.preview()]);
    expect(previews.map(({ result, plan }) => [result, plan.steps.length])).toEqual([
      ["changes", 3],
      ["changes", 4],
    ]);
    const approved = previews[1].fingerprint;
    const applied = await Promise.all([
      one.workspace.up({ createStack: true }),
      other.workspace.up({ createStack: true, approved, yes: true }),
    ]);
    expect(applied.map(({ result, done }) => [result, done?.steps.length])).toEqual([
      ["applied", 3],
      ["applied", 4],
    ]);
    expect([await groupsOf(us), await groupsOf(eu)]).toEqual([
      ["G0", "G1", "G2"],
      ["G0", "G1", "G2", "G3"],
    ]);
    expect(questions).toMatchObject([{ destructive: false, stack: "dev", plan: { steps: [{}, {}, {}] } }]);
    const steps = one.events.filter(({ type }) => type === "step");
    expect(steps).toMatchObject([{ operation: "create", resourceType: "Group" }, {}, {}]);
    expect(one.events.some(({ type }) => type === "progress")).toBe(true);
    expect(process.eventNames().map((name) => process.listenerCount(name))).toEqual(listeners);
  });

  it("finds in each what was changed outside, and renders it", async () => {
    await editByHand(eu.emulator, ["PATCH", "groups", "G2"], { description: "By hand" });
    const drift = await Promise.all([open(us).workspace.drift(), open(eu).workspace.drift()]);
    expect(drift.map(({ result }) => result)).toEqual(["clean", "drift"]);
    expect(drift[1].findings).toMatchObject([{ name: "groups/G2", declared: "Number 2", live: "By hand" }]);
    expect(await render(drift[1], "markdown")).toContain("By hand");
    expect((await open(eu).workspace.refresh()).drift).toHaveLength(1);
  });

  it("gets the error of an operation that is refused, with its code", async () => {
    const refused = open(eu).workspace.up({ yes: true, approved: `sha256:${"0".repeat(64)}` });
    const error: unknown = await refused.catch((one: unknown) => one);
    expect(error).toBeInstanceOf(AutomationError);
    const { code, remedy } = error as Api.AutomationError;
    expect([code, remedy]).toEqual([expect.stringMatching(/^[a-z-]+$/), expect.stringMatching(/./)]);
  });

  it("changes nothing if the answer is no", async () => {
    const asked: Api.ConfirmationRequest[] = [];
    const ask = async (question: Api.ConfirmationRequest) => Promise.resolve(asked.push(question) < 0);
    expect(await open(eu, { ask }).workspace.up()).toMatchObject({ result: "declined" });
    expect((await open(eu, { ask }).workspace.destroy({ allowDelete: ["**"] })).done).toBeUndefined();
    expect(asked.map(({ destructive, plan }) => [destructive, plan?.steps.length])).toEqual([
      [false, 1],
      [true, 4],
    ]);
    expect(await groupsOf(eu)).toHaveLength(4);
  });

  it("cancels one of them, which records what it did, and continues it", async () => {
    writeFileSync(us.file, declare(30));
    us.emulator.settings.latencyMs = 50;
    const cancel = new AbortController();
    const on = ({ type }: Api.AutomationEvent) => type === "step" && cancel.abort();
    const cancelled = open(us, { on }).workspace.up({ yes: true, signal: cancel.signal });
    await expect(cancelled).rejects.toMatchObject({ name: "AutomationError", code: "interrupted" });
    us.emulator.settings.latencyMs = 0;
    const made = (await groupsOf(us)).length;
    expect(made).toBeLessThan(30);
    expect(await open(us).workspace.up({ yes: true })).toMatchObject({
      result: "applied",
      done: { unchanged: made },
    });
    expect(await groupsOf(us)).toHaveLength(30);
  });

  it("exports, compares, imports and deletes", async () => {
    const { files, objects } = await open(us).workspace.export({ kinds: ["groups"] });
    expect([objects, files.length, files[0]?.written]).toEqual([30, 1, false]);
    expect(files[0]?.text).toContain("G29:");
    const compared = await open(us).workspace.compare({ right: "connection:", kinds: ["groups"] });
    expect(compared.result).toBe("same");
    expect(await open(us).workspace.import()).toMatchObject({ imported: [], unchanged: 30 });
    const gone = await open(us, { ask: () => true }).workspace.destroy({
      allowDelete: ["**"],
      maxDeletes: 30,
    });
    expect(gone.done?.steps).toHaveLength(30);
    expect(await groupsOf(us)).toEqual([]);
  });
});

it("a program that uses the package prints nothing but its own, and ends by itself", async () => {
  const program = join(eu.folder, "program.mjs");
  writeFileSync(
    program,
    `import { writeFileSync } from "node:fs";
     import { openWorkspace } from ${JSON.stringify(entry)};
     const workspace = openWorkspace({ file: ${JSON.stringify(eu.file)} });
     const preview = await workspace.preview();
     const applied = await workspace.up({ yes: true });
     const failed = await workspace.up().catch(({ code }) => code);
     const drift = await workspace.drift();
     writeFileSync("results.json", JSON.stringify([preview.result, applied.result, failed, drift.result]));`,
  );
  const options = { cwd: eu.folder, env: eu.env, extendEnv: false, all: true } as const;
  const { all, exitCode } = await execa(process.execPath, [program], options);
  expect([all, exitCode]).toEqual(["", 0]);
  expect(JSON.parse(readFileSync(join(eu.folder, "results.json"), "utf8"))).toEqual([
    "changes",
    "applied",
    "not-confirmed",
    "clean",
  ]);
});
