/** Tests on the real engine that what `ignoreChanges` names is left alone by every command, and listed as not watched. */
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { setUp, workspacectl } from "./support.js";

const declared = `version: 1
workspace: acme
defaults:
  Group: { ignoreChanges: [description] }
permissionSets:
  deployers: { description: Deploys, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY, ignoreChanges: [description] }
groups:
  QA: { description: Testers }
variables:
  REGION: { value: us-east, description: Where, ignoreChanges: [value] }
projects:
  web: { displayName: Web shop, ignoreChanges: [displayName] }
`;

const { file, folder, env, emulator, run, get, edit } = await setUp(declared);

interface Listed {
  readonly id: number;
  readonly name?: string;
  readonly key?: string;
  readonly description?: string;
  readonly value?: string;
}

async function one(list: "groups" | "permissions" | "variables", name: string): Promise<Listed> {
  const all = await get<Record<string, Listed[]>>(`/${list}`);
  const found = all[list === "permissions" ? "permission_sets" : list]?.find(
    (each) => (each.name ?? each.key) === name,
  );
  if (found === undefined) throw new Error(`no ${name}`);
  return get<Listed>(`/${list}/${found.id}`);
}

const note =
  "not watched, since ignoreChanges names them: permissionSets/deployers: description; groups/QA: description; projects/web: displayName; variables/REGION: value";

async function clean(argv: readonly string[], text: string): Promise<void> {
  emulator.journal.clear();
  const isOfFile = !argv.includes(file);
  const { code, stdout, stderr } = await (isOfFile ? run(...argv) : workspacectl(argv, folder, env));
  expect({ argv, code, stderr }).toMatchObject({ code: 0 });
  expect(`${stdout}${stderr}`).toContain(text);
  expect(emulator.journal.writes()).toEqual([]);
}

describe.sequential("what ignoreChanges names", () => {
  it("is set when the object is created", async () => {
    expect(await run("up", "--create-stack", "--yes")).toMatchObject({ code: 0 });
    expect(await one("groups", "QA")).toMatchObject({ description: "Testers" });
  });

  it("may change outside: no plan, no drift, no difference, and the reports list it", async () => {
    await edit("PATCH", `/groups/${(await one("groups", "QA")).id}`, { description: "Hobby club" });
    const set = await one("permissions", "deployers");
    const levels = { repository_access_level: "READ_ONLY", pipeline_access_level: "RUN_ONLY" };
    await edit("PATCH", `/permissions/${set.id}`, {
      name: "deployers",
      description: "By hand",
      ...levels,
    });
    await edit("PATCH", `/variables/${(await one("variables", "REGION")).id}`, {
      key: "REGION",
      value: "eu",
    });
    await edit("PATCH", "/projects/web", { display_name: "By hand" });
    await clean(["preview"], "No changes: the workspace is as the file says");
    await clean(["preview"], note);
    await clean(["up", "--yes"], "No changes");
    await clean(["drift"], note);
    await clean(["drift", "accept", "--all"], "");
    await clean(["export", "-o", file, "--dry-run"], "nothing to change");
    expect(readFileSync(file, "utf8")).toBe(declared);
    const report = JSON.parse((await run("drift", "--json")).stdout) as {
      notWatched: object[];
      findings: object[];
    };
    expect(report.findings).toEqual([]);
    expect(report.notWatched).toContainEqual({ type: "Group", name: "groups/QA", paths: ["description"] });
  });

  it("may change in the file, and is not sent along with another change", async () => {
    writeFileSync(
      file,
      declared
        .replace("description: Deploys", "description: Others")
        .replace("pipelineAccessLevel: RUN_ONLY", "pipelineAccessLevel: READ_ONLY")
        .replace("description: Testers", "description: Others")
        .replace("value: us-east, description: Where", "value: asia, description: Which"),
    );
    const { code, stdout } = await run("up", "--yes");
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain("2 updated");
    // The service requires all four properties of a permission set in each request.
    expect(await one("permissions", "deployers")).toMatchObject({ description: "By hand" });
    expect(await one("variables", "REGION")).toMatchObject({ value: "eu", description: "Which" });
    expect(await one("groups", "QA")).toMatchObject({ description: "Hobby club" });
    await clean(["preview"], "No changes");
    await clean(["drift"], note);
  });
});
