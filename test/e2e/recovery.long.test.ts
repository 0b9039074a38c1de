/** What the next command makes of the intents that a killed run has left. Needs a build. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { signal, tree } from "../chaos/processes.js";
import { chooseStories, tellsAllStories } from "../stories.js";
import { type Setup, setUp, start, stateIn, temporaryFolder } from "./support.js";

const FILE = `version: 1
workspace: acme
groups:
  QA: { description: Testers }
projects:
  web: { displayName: Web, pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main } } }
`;
const PREFIX = "urn:pulumi:dev::workspace-automation::";
const JOURNALS = ".pulumi/workspacectl/journal/workspace-automation";

async function applied(): Promise<Setup & { state: string }> {
  const where = temporaryFolder();
  const setup = await setUp(FILE, { echoMemberEmail: true }, stateIn(where));
  expect(await setup.run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
  return { ...setup, state: join(where, "state") };
}

/** Writes the journal of a run that was killed before the response to a creation. */
function leaveIntent(state: string, type: string, name: string, inputs: object): void {
  mkdirSync(join(state, JOURNALS, "dev"), { recursive: true });
  const urn = `${PREFIX}pulumi-nodejs:dynamic/workspace-automation:${type}::${name}`;
  const intent = { type, address: "", key: urn, at: Date.now(), creation: { urn, inputs, secrets: [] } };
  const lines = [{ pid: 99_999_999 }, intent].map((line) => `${JSON.stringify(line)}\n`);
  writeFileSync(join(state, JOURNALS, "dev", "killed.jsonl"), lines.join(""));
}

async function idOf({ get }: Setup, list: string, name: string): Promise<number> {
  const body = await get<Record<string, { id: number; name: string }[]>>(list);
  const items = Object.values(body).find((value) => Array.isArray(value));
  return items?.find((item) => item.name === name)?.id ?? 0;
}

const group = { description: "the group was deleted", path: "/groups", called: "QA" };
const pipeline = {
  description: "the pipeline was deleted",
  path: "/projects/web/pipelines",
  called: "deploy",
};
const vanished: {
  type: string;
  name: string;
  inputs: (id: number) => object;
  parent: typeof group;
}[] = [
  {
    type: "GroupMember",
    name: "groups/QA/members/owner@example.com",
    inputs: (id) => ({ groupId: id, member: "owner@example.com" }),
    parent: group,
  },
  {
    type: "Action",
    name: "projects/web/pipelines/deploy/actions/Build",
    inputs: (id) => ({ project: "web", projectId: "acme/web", pipelineId: id, name: "Build", type: "BUILD" }),
    parent: pipeline,
  },
  {
    type: "Variable",
    name: "projects/web/pipelines/deploy/variables/TIER",
    inputs: (id) => ({ project: "web", projectId: "acme/web", pipelineId: id, key: "TIER" }),
    parent: pipeline,
  },
];

describe("an unfinished creation", { timeout: 600_000 }, () => {
  it.each(chooseStories(vanished, 1))(
    "of a $type does not block any command when $parent.description",
    async (one) => {
      const setup = await applied();
      const { run, edit, state } = setup;
      const id = await idOf(setup, one.parent.path, one.parent.called);
      leaveIntent(state, one.type, one.name, { workspace: "acme", ...one.inputs(id) });
      await edit("DELETE", `${one.parent.path}/${id}`);
      for (const command of [["preview"], ["up", "--yes", "--max-deletes", "9"], ["preview"]]) {
        const ended = await run(...command);
        expect(ended.code, `${command.join(" ")}: ${ended.stdout}${ended.stderr}`).toBe(0);
      }
    },
  );

  it.each(chooseStories(["deleted", "renamed"], 1))(
    "in a project that was %s does not block any command either",
    async (what) => {
      const { run, edit, state } = await applied();
      const inputs = { workspace: "acme", project: "web", projectId: "acme/web", name: "new" };
      leaveIntent(state, "Pipeline", "projects/web/pipelines/new", inputs);
      if (what === "deleted") await edit("DELETE", "/projects/web");
      else await edit("PATCH", "/projects/web", { name: "website" });
      const { code, stderr, stdout } = await run("preview");
      expect(code, stdout + stderr).toBe(0);
      expect(stderr).toContain("--forget projects/web/pipelines/new");
    },
  );

  it("that cannot be settled holds back what refers to it, so that nothing is replaced", async () => {
    const { run, emulator, env, folder, file } = await setUp(FILE, {}, stateIn(temporaryFolder()));
    emulator.faults.add({ kind: "delay-after", method: "POST", path: /pipelines$/, delayMs: 60_000 });
    const running = start(["up", "--yes", "--create-stack", "-f", file], folder, env);
    const created = () => emulator.journal.writes().filter(({ status }) => status === 201);
    while (created().length < 3 && running.exitCode == null) await sleep(2);
    signal(await tree(running.pid), "SIGKILL");
    await running;
    emulator.faults.clear();
    // The list is read in advance, and again by the recovery.
    emulator.faults.add({ kind: "status", status: 403, method: "GET", path: /\/projects$/, count: 2 });
    const first = await run("preview");
    expect(first.stderr).toContain("Not in the state yet, because of this: projects/web/pipelines/deploy.");
    expect(first.stdout).toContain("Plan: 0 to create, 0 to update, 0 to delete, 2 to adopt, ");
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    const { stdout, stderr } = await run("preview");
    expect(stdout).toContain("No changes: 3 objects as declared");
    expect(stderr).not.toContain("interrupted");
  });

  it.runIf(tellsAllStories)(
    "of a project with a secret origin is no change of it, until somebody changes it",
    async () => {
      const secrets = { WORKSPACE_VAR_URL: "https://git.example.com/lib.git", WORKSPACE_VAR_LOGIN: "git" };
      const origin = (url: string) => `version: 1
workspace: acme
projects:
  lib:
    customRepoUrl: ${url}
    customRepoUser: "\${secret:env:LOGIN}"
    customRepoPass: in-clear
    pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main } }
`;
      const text = origin('"${secret:env:URL}"');
      const more = { ...stateIn(temporaryFolder()), ...secrets };
      const { run, emulator, env, folder, file } = await setUp(text, {}, more);
      emulator.faults.add({ kind: "delay-after", method: "POST", path: /pipelines$/, delayMs: 60_000 });
      const running = start(["up", "--yes", "--create-stack", "-f", file], folder, env);
      const created = () => emulator.journal.writes().filter(({ status }) => status === 201);
      while (created().length < 2 && running.exitCode == null) await sleep(2);
      signal(await tree(running.pid), "SIGKILL");
      await running;
      emulator.faults.clear();
      for (const command of [["preview"], ["up", "--yes"], ["drift"], ["preview"]]) {
        const { code, stdout, stderr } = await run(...command);
        expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/No changes|no drift/i)]);
      }
      writeFileSync(file, origin("https://git.example.com/other.git"));
      expect((await run("preview")).stderr).toContain(
        "customRepoUrl cannot be changed once the project exists",
      );
    },
  );

  it("that nobody can know is named until the user forgets it", async () => {
    const { run, state } = await applied();
    leaveIntent(state, "OAuthClient", "oauth/app", { workspace: "acme", name: "app" });
    for (let time = 0; time < 2; time++) {
      const { code, stderr } = await run("preview");
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining("whether the killed run created oauth/app"),
      ]);
    }
    expect((await run("stack", "repair", "--forget", "oauth/other")).code).toBe(1);
    expect(await run("stack", "repair", "--forget", "oauth/app")).toMatchObject({ code: 0 });
    expect((await run("preview")).stderr).not.toContain("oauth/app");
    expect(existsSync(join(state, JOURNALS, "dev", "killed.jsonl"))).toBe(false);
  });

  it("of a release before 0.2 is not overlooked", async () => {
    const { run, state } = await applied();
    mkdirSync(join(state, JOURNALS), { recursive: true });
    writeFileSync(join(state, JOURNALS, "dev.jsonl"), `{"state":"0","salt":"v1:"}\n`);
    const { code, stderr } = await run("preview");
    expect([code, stderr]).toEqual([1, expect.stringContaining("with that release (before 0.2)")]);
  });
});

/** A workspace with every kind of object that others refer to. */
const workspaceWith = (
  inside: Readonly<Record<"group" | "project" | "pipeline" | "action", string>>,
) => `version: 1
workspace: acme
adopt: true
members: { ann@example.com: {} }
permissionSets:
  Readers: { description: They read, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: READ_ONLY }
groups: { QA: { description: Testers${inside.group} } }
projects:
  web:
    displayName: Web${inside.project}
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        refType: BRANCH${inside.pipeline}
        actions:
          - name: Ping
            type: PING
            triggerTime: ON_EVERY_EXECUTION
            destination: one.example.com${inside.action}
`;
const PARENTS = workspaceWith({ group: "", project: "", pipeline: "", action: "" });
const WITH_CHILDREN = workspaceWith({
  group: ", members: [ann@example.com]",
  project: `
    members: { ann@example.com: { permissionSet: Readers } }
    variables: { TIER: { value: one } }
    files: { docs/readme.md: "# Shop" }`,
  pipeline: `
        variables: { TIER: { value: two } }`,
  action: `
            variables: { TIER: { value: three }, LAST: { value: four } }`,
}).replace("Testers", "Better testers");
const PARENT_COUNT = 6;
const CHILDREN = 7;

describe("a killed run that had adopted objects", { timeout: 600_000 }, () => {
  it("leaves them in the state, so that nothing in them is replaced", async () => {
    const where = temporaryFolder();
    const setup = await setUp(PARENTS, { echoMemberEmail: true }, stateIn(where));
    const { run, emulator, folder, env, file } = setup;
    const first = await run("up", "--yes", "--create-stack");
    expect(first.code, first.stderr).toBe(0);
    rmSync(join(where, "state"), { recursive: true });
    stateIn(where);
    writeFileSync(file, WITH_CHILDREN);
    emulator.journal.clear();
    emulator.faults.add({ kind: "delay", method: "POST", skip: CHILDREN - 1, count: 9, delayMs: 60_000 });
    const running = start(["up", "--yes", "--create-stack", "-f", file], folder, env);
    const journal = () => {
      const of = join(where, "state", JOURNALS, "dev");
      return existsSync(of)
        ? readdirSync(of)
            // A file that is being written gets another name.
            .filter((name) => !name.endsWith(".tmp"))
            .map((name) => readFileSync(join(of, name), "utf8"))
            .join("")
        : "";
    };
    const made = () => journal().split('"made":').length - 1;
    while (made() < PARENT_COUNT + CHILDREN - 1 && running.exitCode == null) await sleep(20);
    signal(await tree(running.pid), "SIGKILL");
    await running;
    emulator.faults.clear();
    const preview = await run("preview");
    expect(preview.code, preview.stderr).toBe(0);
    expect(preview.stdout).toContain("Plan: 1 to create, 0 to update, 0 to delete, 12 unchanged.");
    writeFileSync(file, WITH_CHILDREN.replace("adopt: true\n", ""));
    const up = await run("up", "--yes");
    expect(up.code, up.stderr).toBe(0);
    expect((await run("preview")).stdout).toContain("No changes");
  });
});

describe("a killed run of the plugin", { timeout: 600_000 }, () => {
  it.runIf(tellsAllStories)(
    "leaves no duplicate, and the state is as the engine would have written it",
    async () => {
      const where = temporaryFolder();
      const groups = Array.from({ length: 90 }, (_, n) => `  G${n}: { description: Group ${n} }\n`).join("");
      const text = `version: 1\nworkspace: acme\ngroups:\n${groups}`;
      const { run, emulator, folder, env, file, get } = await setUp(text, { latencyMs: 300 }, stateIn(where));
      const plugin = ["--engine", "plugin"];
      const running = start(["up", "--yes", "--create-stack", ...plugin, "-f", file], folder, env);
      while (emulator.journal.writes().length < 10 && running.exitCode == null) await sleep(2);
      signal(await tree(running.pid), "SIGKILL");
      await running;
      const preview = await run("preview", ...plugin);
      expect(preview.code, preview.stderr).toBe(0);
      expect(preview.stderr).toMatch(/\d+ created or adopted objects are now in the state/);
      expect(preview.stdout).toContain(" to create, 0 to update, 0 to delete, ");
      const up = await run("up", "--yes", ...plugin);
      expect(up.code, up.stderr).toBe(0);
      expect((await get<{ groups: object[] }>("/groups?per_page=100")).groups).toHaveLength(90);
      expect((await run("preview", ...plugin)).stdout).toContain("No changes");
      const destroy = await run("destroy", "--yes", "--allow-delete", "**");
      expect(destroy.code, destroy.stderr).toBe(0);
    },
  );
});
