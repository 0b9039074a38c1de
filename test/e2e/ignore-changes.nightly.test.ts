/** Tests on the real engine that what `ignoreChanges` names is left alone by every command, and listed as not watched. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { signal, tree } from "../chaos/processes.js";
import { tellsAllStories } from "../stories.js";
import { setUp, start, workspacectl } from "./support.js";

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
    await clean(["preview"], "No changes: ");
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

  it("may be named by the stack's overlay alone", async () => {
    const overlay = file.replace(/yaml$/, "dev.yaml");
    writeFileSync(overlay, "variables: { COLOR: { ignoreChanges: [description] } }\n");
    writeFileSync(file, readFileSync(file, "utf8").replace("variables:", "variables:\n  COLOR: blue"));
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    const { id } = await one("variables", "COLOR");
    await edit("PATCH", `/variables/${id}`, { key: "COLOR", value: "blue", description: "By hand" });
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("COLOR: blue", "COLOR: { value: blue, description: Of the shop }"));
    await clean(["preview"], "variables/COLOR: description");
    await clean(["drift"], "variables/COLOR: description");
    // Without the overlay, it is a change like any other.
    rmSync(overlay);
    expect((await run("preview")).stdout).toMatch(/~ variable COLOR\n +description/);
    writeFileSync(overlay, "variables: { COLOR: { ignoreChanges: [description] } }\n");
  });

  it("is set again by a replacement, and its plan says so", async () => {
    const before = readFileSync(file, "utf8");
    const withAction = (action: string): void =>
      writeFileSync(
        file,
        before.replace(
          /web: \{ (.+) \}/,
          `web: { $1, pipelines: { deploy: { triggerMode: MANUAL, refName: main, actions: [
      { name: Check, triggerTime: ON_EVERY_EXECUTION, ignoreChanges: [triggerTime], ${action} }] } } }`,
        ),
      );
    withAction("type: PING, destination: shop.example.com");
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    const { pipelines } = await get<{ pipelines: Listed[] }>("/projects/web/pipelines");
    const path = `/projects/web/pipelines/${pipelines[0]?.id}/actions`;
    const check = async (): Promise<(object & { id: number }) | undefined> =>
      (await get<{ actions: { id: number }[] }>(path)).actions[0];
    const ping = await check();
    await edit("PATCH", `${path}/${ping?.id}`, { ...ping, trigger_time: "ON_FAILURE" });
    await clean(["preview"], "projects/web/pipelines/deploy/actions/Check: triggerTime");
    withAction('type: BUILD, containerImageName: node, containerImageTag: "22", executeCommands: [npm test]');
    expect((await run("up", "--yes")).stdout).toMatch(/triggerTime +"ON_FAILURE" → "ON_EVERY_EXECUTION"/);
    expect(await check()).toMatchObject({ type: "BUILD", trigger_time: "ON_EVERY_EXECUTION" });
    writeFileSync(file, before);
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
  });

  it.runIf(tellsAllStories)("stays as it is after a run with a journal was killed", async () => {
    const text = readFileSync(file, "utf8");
    const many = Array.from(
      { length: 12 },
      (_none, index) => `  N${index}: { value: a, ignoreChanges: [value] }\n`,
    );
    writeFileSync(
      file,
      text.replace("variables:\n", `variables:\n${many.join("")}`).replace("Others", "Yet others"),
    );
    emulator.settings.latencyMs = 100;
    const running = start(["up", "--yes", "-f", file], folder, env);
    const journals = join(folder, ".pulumi-state/.pulumi/workspacectl/journal/workspace-automation/dev");
    const created = () =>
      (existsSync(journals) ? readdirSync(journals) : [])
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(journals, name), "utf8").match(/"made":/g) ?? []).length;
    while (created() < 3 && running.exitCode == null) await sleep(1);
    signal(await tree(running.pid), "SIGKILL");
    await running;
    emulator.settings.latencyMs = 0;
    const recovered = await run("preview");
    expect(recovered.stderr).toMatch(
      /A run was interrupted: of \d+ operations that it had begun, \d+ created/,
    );
    const state = JSON.parse((await run("stack", "export")).stdout) as {
      deployment: { resources: { urn: string; ignoreChanges?: string[] }[] };
    };
    const variables = state.deployment.resources.filter(({ urn }) => urn.includes("::variables/N"));
    expect(variables.length).toBeGreaterThanOrEqual(3);
    expect(variables.filter(({ ignoreChanges }) => ignoreChanges?.join() !== "value")).toEqual([]);
    for (const { urn } of variables) {
      const key = urn.split("/").at(-1) ?? "";
      await edit("PATCH", `/variables/${(await one("variables", key)).id}`, { key, value: "by hand" });
    }
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    for (const { urn } of variables)
      expect(await one("variables", urn.split("/").at(-1) ?? "")).toMatchObject({ value: "by hand" });
    expect(await one("groups", "QA")).toMatchObject({ description: "Hobby club" });
    await clean(["preview"], "No changes");
    await clean(["drift"], "variables/N0: value");
  });
});
