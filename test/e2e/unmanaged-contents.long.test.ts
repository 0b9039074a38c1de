/** Tests on the real engine that a plan names what no file declares in the objects that it deletes, and that a guard asks for it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setUp } from "./support.js";

const pipeline = (name: string, retain = "") => `
      ${name}:${retain}
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { TIER: "1" }
        actions:
          - { name: Build, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }
          - { name: Check, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a.example.com }`;

const declared = `version: 1
workspace: acme
guards: { maxDeletes: 100, maxDeleteShare: 100, sectionDeletion: allow }
groups:
  QA: { description: Testers }
projects:
  web:
    protect: false
    pipelines:${pipeline("kept")}${pipeline("old")}
`;

const { folder, file, emulator, run, get, edit } = await setUp(declared);
const old = "projects/web/pipelines/old";

interface Plan {
  fingerprint: string;
  guards: { guard: string; objects: string[]; remedy: string }[];
  unmanagedContents: { type: string; name: string; within: string }[];
}

async function preview(...argv: string[]): Promise<Plan> {
  const { stdout, stderr } = await run("preview", "--json", ...argv);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Plan;
}

/** Declares everything but the pipeline that is to be deleted. */
const withoutOld = () => writeFileSync(file, declared.replace(pipeline("old"), ""));

async function addAction(pipelineName: string, name: string): Promise<void> {
  const { pipelines } = await get<{ pipelines: { id: number; name: string }[] }>("/projects/web/pipelines");
  const id = pipelines.find((one) => one.name === pipelineName)?.id;
  const action = { name, type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "b.example.com" };
  await edit("POST", `/projects/web/pipelines/${id}/actions`, action);
}

describe.sequential("what no file declares in a deleted object", () => {
  it("does not exist in a plan that deletes only what is declared, which asks for nothing", async () => {
    expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
    withoutOld();
    const { guards, unmanagedContents } = await preview();
    expect({ guards, unmanagedContents }).toEqual({ guards: [], unmanagedContents: [] });
  });

  it("is counted and named in the plan, and refused by a guard that names the option", async () => {
    const before = await preview("--save-plan", join(folder, "plan.json"));
    // What is added to an object that stays is drift, and no concern of this plan.
    for (const [where, name] of [
      ["old", "Audit"],
      ["old", "No/tify"],
      ["kept", "Other"],
    ] as const)
      await addAction(where, name);
    emulator.journal.clear();
    const plan = await preview();
    expect(plan.unmanagedContents).toEqual([
      { type: "Action", name: `${old}/actions/Audit`, within: old },
      { type: "Action", name: `${old}/actions/No%2Ftify`, within: old },
    ]);
    expect(plan.guards).toMatchObject([
      {
        guard: "unmanaged-contents",
        objects: [`${old}/actions/Audit`, `${old}/actions/No%2Ftify`],
        remedy: `--allow-delete "${old}/actions/Audit" --allow-delete "${old}/actions/No%2Ftify"`,
      },
    ]);
    expect(plan.fingerprint).not.toBe(before.fingerprint);
    const text = (await run("preview")).stdout;
    expect(text).toContain(
      "- pipeline old  with 2 actions, 1 variable; and 2 actions that no file declares (Audit, No/tify)",
    );
    for (const format of ["markdown", "html"]) {
      const { stdout } = await run("preview", "--format", format);
      expect(stdout).toContain("Unmanaged contents that are deleted too");
      expect(stdout).toContain("actions/Audit");
    }
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("is not deleted by a plan that was saved or approved before, even if an option allows it", async () => {
    const allowed = ["--allow-delete", "**"];
    const ended = await run("up", "--yes", "--plan", join(folder, "plan.json"), ...allowed);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/the saved plan was not applied, and nothing was changed/);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("keeps up and destroy from deleting its container", async () => {
    for (const argv of [
      ["up", "--yes"],
      ["destroy", "--yes", "--include-protected", "--delete-project", "web"],
    ]) {
      const { code, stderr } = await run(...argv);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining("unmanaged-contents") as string,
      });
    }
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("is deleted with its container once it is named", async () => {
    const { code, stdout } = await run("up", "--yes", "--allow-delete", `${old}/**`);
    expect(code).toBe(0);
    expect(stdout).toContain("2 actions that no file declares");
    const { pipelines } = await get<{ pipelines: { name: string }[] }>("/projects/web/pipelines");
    expect(pipelines.map(({ name }) => name)).toEqual(["kept"]);
  });

  it("is named by destroy, in the text and in the JSON, and allowed by the setting of the file", async () => {
    await edit("POST", "/variables", { key: "BY_HAND", value: "1", project: { name: "web" } });
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("guards: {", "guards: { unmanagedContents: allow,"),
    );
    const { code, stdout, stderr } = await run("destroy", "--yes", "--json", "--delete-project", "web");
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { unmanagedContents } = JSON.parse(stdout) as Plan;
    expect(unmanagedContents.map(({ name }) => name)).toEqual([
      "projects/web/pipelines/kept/actions/Other",
      "projects/web/variables/BY_HAND",
    ]);
    expect(stderr).toContain("1 variable, 1 action that no file declares (BY_HAND, Other)");
  });
});
