/** Tells how an approved plan that failed half-way is finished with the same approval, and who did what, on the real engine. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const emulator = await emulatorForTests();
const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const ann = {
  ...isolated(folder, connected(emulator)),
  GITHUB_ACTIONS: "true",
  GITHUB_ACTOR: "ann",
  GITHUB_SERVER_URL: "https://github.example.com",
  GITHUB_REPOSITORY: "acme/workspaces",
  GITHUB_RUN_ID: "7",
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
};
const run = (...argv: string[]) => workspacectl(argv, folder, ann);
const write = (text: string) => writeFileSync(at("workspace.yaml"), text);

/** The actions are ordered, and everything in the project refers to objects that do not exist before. */
const FILE = `version: 1
workspace: acme
groups:
  QA: { description: Testers }
variables:
  TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true }
permissionSets:
  devs: { description: Devs, repositoryAccessLevel: READ_WRITE, pipelineAccessLevel: RUN_ONLY }
members:
  ann@example.com: { admin: false }
projects:
  web:
    protect: false
    members: { ann@example.com: devs }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: One, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [make one] }
          - { name: Two, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22", executeCommands: [make two] }
`;

interface Receipt {
  readonly done: readonly { readonly name: string; readonly hash: string }[];
  readonly notDone: readonly object[];
}
const receipt = () => JSON.parse(readFileSync(at("receipt.json"), "utf8")) as Receipt;
const up = (...argv: string[]) =>
  run("up", "--yes", "--create-stack", "--receipt", at("receipt.json"), ...argv);

describe.sequential("an approved plan that fails half-way", () => {
  let fingerprint: string;
  const saved = at("plan.json");

  it("says the true error first, and what was done in its receipt", async () => {
    write(FILE);
    const previewed = await run("preview", "--json", "--save-plan", saved);
    expect(previewed).toMatchObject({ code: 0 });
    const plan = JSON.parse(previewed.stdout) as { fingerprint: string; plan: { steps: { hash: string }[] } };
    ({ fingerprint } = plan);
    expect(plan.plan.steps.every(({ hash }) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
    emulator.faults.add({ kind: "status", status: 422, method: "POST", path: /\/pipelines$/, count: 1 });
    const { code, stderr } = await up("--plan", saved, "--approved", fingerprint);
    emulator.faults.clear();
    expect(code).toBe(1);
    expect(stderr).toMatch(/error: projects\/web\/pipelines\/deploy: /);
    const { done, notDone } = receipt();
    expect(done.length).toBeGreaterThan(0);
    expect(notDone.length).toBeGreaterThan(0);
    expect(receipt()).toMatchObject({
      outcome: "failed",
      approved: fingerprint,
      by: {
        actor: "ann",
        commit: ann.GITHUB_SHA,
        run: "https://github.example.com/acme/workspaces/actions/runs/7",
      },
    });
    expect(readFileSync(at("receipt.json"), "utf8")).not.toContain("deploy-token-in-clear");
  });

  it("is not finished by other operations, which are named", async () => {
    write(FILE.replace("make two", "make three"));
    const { code, stderr } = await up("--approved", fingerprint);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Not part of what is left of it: Action projects/web/pipelines/deploy/actions/Two",
    );
    write(FILE);
  });

  it.each([
    ["by its fingerprint alone", false],
    ["by its file", true],
  ])("is finished %s, and then nothing is left", async (_, byFile) => {
    if (byFile) {
      // Another change, which fails after one of its two operations.
      write(FILE.replace("Testers", "Checkers").replace("make one", "make five"));
      const previewed = await run("preview", "--json", "--save-plan", saved);
      ({ fingerprint } = JSON.parse(previewed.stdout) as { fingerprint: string });
      emulator.faults.add({
        kind: "status",
        status: 422,
        method: "PATCH",
        path: /\/actions\/\d+$/,
        count: 1,
      });
      const failed = await up("--plan", saved);
      expect(failed.code).toBe(1);
      expect(failed.stderr).toMatch(/error: projects\/web\/pipelines\/deploy\/actions\/One: /);
      expect(failed.stderr).toMatch(/For that reason, \d+ other operations? of the plan w/);
      expect(failed.stderr).not.toContain("none were seen");
      emulator.faults.clear();
    }
    const words = byFile ? ["--plan", saved] : ["--approved", fingerprint];
    const ended = await up(...words);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toMatch(/An earlier run has done \d+ of the \d+ parts of the approved plan/);
    expect(receipt()).toMatchObject({ outcome: "succeeded", approved: fingerprint, notDone: [] });
    emulator.journal.clear();
    expect(await up(...words)).toMatchObject({ code: 0 });
    expect(emulator.journal.writes()).toEqual([]);
    const drift = await run("drift");
    expect(drift).toMatchObject({ code: 0 });
  });

  it("is not approved again after another run", async () => {
    write(FILE);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    write(FILE.replace("Testers", "Checkers"));
    emulator.journal.clear();
    const { code, stderr } = await up("--approved", fingerprint);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("this is not the approved plan") as string,
    });
    expect(emulator.journal.writes()).toEqual([]);
    write(FILE);
  });
});

describe("the history of an object", () => {
  it("comes from Pulumi's history and from receipts", async () => {
    const { stdout, code } = await run("history", "groups/QA");
    expect(code).toBe(0);
    const lines = stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME");
    const by =
      "by ann, commit 0123456789abcdef0123456789abcdef01234567, https://github.example.com/acme/workspaces/actions/runs/7";
    expect(lines).toBe(
      [
        "groups/QA · stack dev",
        ...["", `TIME  updated  ${by}`, '    description  "Checkers" → "Testers"'],
        ...["", `TIME  updated  ${by}`, '    description  "Testers" → "Checkers"'],
        ...["", `TIME  created  ${by}`],
      ].join("\n"),
    );
    const both = await run(
      "history",
      "groups/QA",
      "--json",
      "--receipts",
      at("receipt.json"),
      "--limit",
      "2",
    );
    expect(JSON.parse(both.stdout)).toMatchObject({
      object: "groups/QA",
      entries: [{ operation: "update", by: { actor: "ann" }, source: "pulumi" }, { operation: "update" }],
    });
  });

  it("proposes another name for one that no run has changed", async () => {
    const { code, stderr } = await run("history", "groups/QB");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/groups\/QB[^]*Did you mean "groups\/QA"/)]);
  });
});
