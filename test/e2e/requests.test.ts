/** Tests how many requests commands make: each command reads everything only once. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const PIPELINES = 6;
const folder = temporaryFolder();
const file = join(folder, "workspace.yaml");
let emulator: Emulator;
let env: NodeJS.ProcessEnv;
/** The requests of a preview. */
let previewed: readonly string[];

/** @param changed number of pipelines with another branch */
function write(changed: number): void {
  const actions = Array.from({ length: 5 }, (_, n) => ({
    name: `Step ${n}`,
    type: "PING",
    triggerTime: "ON_EVERY_EXECUTION",
    destination: "example.com",
  }));
  const pipelines = Array.from({ length: PIPELINES }, (_, n) => [
    `pipeline-${n}`,
    { triggerMode: "MANUAL", refType: "BRANCH", refName: n < changed ? "next" : "main", actions },
  ]);
  const group = { description: "Testers", members: ["ann@example.com"] };
  const document = {
    version: 1,
    workspace: "acme",
    members: { "ann@example.com": {} },
    groups: { QA: group },
    projects: {
      web: { variables: { TIER: "1" }, pipelines: Object.fromEntries(pipelines) as object },
      shop: { variables: { TIER: "2" } },
    },
  };
  writeFileSync(file, stringify(document));
}

/** Returns the requests of a command in order. */
async function requests(command: string, ...argv: string[]): Promise<string[]> {
  emulator.journal.clear();
  const { code, stdout, stderr } = await workspacectl([command, ...argv, "-f", file], folder, env);
  expect({ code, stderr: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, stderr: "" });
  return emulator.journal.requests.map(
    ({ method, path, query }) => `${method} ${path} ${JSON.stringify(query)}`,
  );
}

const isRead = (request: string) => request.startsWith("GET ");
const pipelineReads = (made: readonly string[]) =>
  made.filter((request) => /^GET \S+\/pipelines\/\d+(\/\S*)? /.test(request));
const twice = (made: readonly string[]) =>
  made.filter((request, at) => isRead(request) && made.indexOf(request) !== at);

beforeAll(async () => {
  emulator = await emulatorForTests({ echoMemberEmail: true });
  env = isolated(folder, connected(emulator));
  write(0);
  await requests("up", "--create-stack", "--yes");
  previewed = await requests("preview");
});
afterEach(() => write(0));

it("preview reads each pipeline once, together with its actions", () => {
  expect(twice(previewed)).toEqual([]);
  expect(pipelineReads(previewed)).toHaveLength(PIPELINES);
});

it("up makes the same requests as preview if there is nothing to do", async () => {
  expect((await requests("up", "--yes")).toSorted()).toEqual(previewed.toSorted());
});

it("up makes the same reads as preview, and sends only the change", async () => {
  write(1);
  const made = await requests("up", "--yes");
  expect(made.filter(isRead).toSorted()).toEqual(previewed.toSorted());
  expect(made.filter((request) => !isRead(request))).toHaveLength(1);
});

it("up reverts an outside change without reading more than preview", async () => {
  const pipelines = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
  const all = (pipelines.body as { pipelines: { id: number; name: string }[] }).pipelines;
  // Another one than the test before has changed. Pipelines are created at the same time, so their order differs.
  const last = all.find(({ name }) => name === `pipeline-${PIPELINES - 1}`);
  const path = `/workspaces/acme/projects/web/pipelines/${last?.id}`;
  await emulator.edit({ method: "PATCH", path, body: { ref_name: "other" } });
  const made = await requests("up", "--yes");
  expect(made.filter(isRead).toSorted()).toEqual(previewed.toSorted());
  expect(made.filter((request) => !isRead(request))).toHaveLength(2);
});

it("drift makes the same reads as preview, and reads the additional lists that it searches", async () => {
  const made = await requests("drift");
  expect(twice(made)).toEqual([]);
  expect(pipelineReads(made)).toHaveLength(PIPELINES);
  const more = made.filter((request) => !previewed.includes(request)).map((request) => request.split(" ")[1]);
  // The file does not declare the calling user, who must not be reported as unmanaged.
  expect(more.toSorted()).toEqual([
    "/user",
    "/workspaces/acme/projects/shop/pipelines",
    "/workspaces/acme/projects/web/pipelines",
    // The longest list is not longer than it looks.
    "/workspaces/acme/projects/web/pipelines",
  ]);
});

it("preview and drift make no request beyond those that the specification requires", async () => {
  const [members, groups, projects] = [1, 1, 2];
  const lists = 3; // of members, groups and projects
  // No list shows whether a member is an administrator, who is in a group, and what is in a pipeline.
  const objects = members + groups + PIPELINES;
  const variables = projects;
  expect(previewed).toHaveLength(lists + objects + variables);
  const searched = projects; // Their pipelines are listed, to find unmanaged ones.
  const caller = 1; // See above.
  const end = 1; // Proves the end of the longest list.
  expect(await requests("drift")).toHaveLength(lists + objects + variables + searched + caller + end);
});

it("a plan that changes what only administrators may change checks that the token may", async () => {
  const before = await requests("preview");
  writeFileSync(file, readFileSync(file, "utf8").replace("description: Testers", "description: Others"));
  const more = (await requests("preview")).filter((request) => !before.includes(request));
  expect(more.map((request) => request.split(" ")[1])).toEqual(["/workspaces/acme/permissions"]);
});
