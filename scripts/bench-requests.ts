/**
 * Counts the requests of a refresh of a large workspace, per kind of address, beside what the lists' pages and the
 * pipelines alone would take. Run it with `npm run bench:requests`.
 */
import { startEmulator, type Seed } from "../emulator/index.js";
import { WorkspaceAutomationClient } from "../client/index.js";
import { definitionOf, type Fields } from "../provider/index.js";
import { dynamicProvider } from "../provider/adapters/dynamic.js";
import { Session } from "../provider/connection/session.js";
import { printRequests, type Needed } from "./request-table.js";

const SIZE = {
  projects: 20,
  pipelines: 10,
  actions: 5,
  variables: 1000,
  groups: 50,
  members: 200,
  memberships: 10,
  sets: 20,
};

const emails = Array.from({ length: SIZE.members }, (_, i) => `person-${i}@example.com`);
const seed: Seed = {
  users: [{ email: "owner@example.com" }, ...emails.map((email) => ({ email, name: email }))],
  workspaces: [
    {
      domain: "acme",
      members: emails.map((email) => ({ email })),
      groups: Array.from({ length: SIZE.groups }, (_, g) => ({
        name: `group-${g}`,
        members: Array.from({ length: SIZE.memberships }, (_, i) => emails[(g + i) % SIZE.members] ?? ""),
      })),
      permission_sets: Array.from({ length: SIZE.sets }, (_, i) => ({
        name: `set-${i}`,
        description: "A set",
        repository_access_level: "READ_ONLY",
        pipeline_access_level: "RUN_ONLY",
      })),
      variables: Array.from({ length: SIZE.variables }, (_, i) => ({ key: `KEY_${i}`, value: "x" })),
      projects: Array.from({ length: SIZE.projects }, (_, p) => ({
        name: `project-${p}`,
        pipelines: Array.from({ length: SIZE.pipelines }, (_, l) => ({
          name: `pipeline-${l}`,
          trigger_mode: "MANUAL",
          ref_name: "main",
          actions: Array.from({ length: SIZE.actions }, (_, a) => ({
            name: `action-${a}`,
            type: "PING",
            trigger_time: "ON_EVERY_EXECUTION",
            destination: "host",
          })),
        })),
      })),
    },
  ],
};

interface Known {
  readonly type: string;
  readonly state: Fields;
}

const emulator = await startEmulator({ seed, rateLimit: 1_000_000 });
const { baseUrl, token } = emulator;
const states = await everything(new WorkspaceAutomationClient({ baseUrl, token }));
emulator.journal.clear();

const session = new Session({ baseUrl, token, workspace: "acme", allowInsecure: false });
const began = performance.now();
await Promise.all(
  states.map(({ type, state }) =>
    dynamicProvider(definitionOf(type), () => Promise.resolve(session)).read("id", { ...state }),
  ),
);
const seconds = (performance.now() - began) / 1000;

const made = new Map<string, number>();
for (const { path } of emulator.journal.requests) {
  const kind = path
    .replace("/workspaces/acme", "")
    .replace(/\/project-\d+/g, "/:project")
    .replace(/\/\d+/g, "/:id");
  made.set(kind, (made.get(kind) ?? 0) + 1);
}
/** A first page of 20 or more that is not full may be the server's maximum: only the next page tells. */
const pages = (items: number) => (items < 20 ? 1 : items < 100 ? 2 : Math.floor(items / 100) + 1);
const needed: Needed = {
  "/members": [pages(SIZE.members + 1), "pages of the list"],
  "/members/:id": [SIZE.members + 1, "unavoidable: only a single member shows `admin`"],
  "/groups": [pages(SIZE.groups), "pages of the list"],
  "/groups/:id": [SIZE.groups, "unavoidable where the list shows no description"],
  "/groups/:id/members": [SIZE.groups, "page of each group's list"],
  "/permissions": [pages(SIZE.sets + 2), "pages of the list"],
  "/permissions/:id": [0, ""],
  "/projects": [pages(SIZE.projects), "pages of the list"],
  "/projects/:project/pipelines/:id": [
    SIZE.projects * SIZE.pipelines,
    "one per pipeline, with all its actions",
  ],
  "/variables": [pages(SIZE.variables), "pages of the list"],
};
process.stdout.write(
  `${states.length} objects refreshed in ${seconds.toFixed(1)} s with ${emulator.journal.requests.length} requests\n`,
);
const excess = printRequests(made, needed);
process.exitCode = excess === 0 ? 0 : 1;
await session.close();
await emulator.close();

/** The state that would hold the whole workspace, every argument managed. */
async function everything(api: WorkspaceAutomationClient): Promise<Known[]> {
  const known: Known[] = [];
  const add = (type: string, state: Fields) =>
    known.push({ type, state: { ...state, address: `${baseUrl}/workspaces/acme` } });
  for await (const m of api.members.list("acme"))
    add("WorkspaceMember", { email: `${m.id}@example.com`, admin: false, memberId: m.id });
  for await (const g of api.groups.list("acme")) {
    add("Group", { name: g.name, description: "", groupId: g.id });
    for await (const m of api.groupMembers.list("acme", g.id)) {
      add("GroupMember", { group: g.id, member: m.id, groupId: g.id, memberId: m.id });
    }
  }
  for await (const s of api.permissionSets.list("acme")) {
    const levels = { repositoryAccessLevel: "READ_ONLY", pipelineAccessLevel: "RUN_ONLY" };
    add("PermissionSet", { name: s.name, description: "A set", ...levels, permissionSetId: s.id });
  }
  for await (const v of api.variables.list("acme"))
    add("Variable", { key: v.key, value: "x", variableId: v.id });
  for await (const project of api.projects.list("acme")) {
    add("Project", { name: project.name, projectName: project.name, displayName: project.name });
    for await (const listed of api.pipelines.list("acme", project.name)) {
      const at = { project: project.name, pipeline: listed.id, pipelineId: listed.id };
      add("Pipeline", {
        ...at,
        name: listed.name,
        triggerMode: "MANUAL",
        refName: "main",
        alwaysFromScratch: false,
      });
      const { actions } = await api.pipelines.get("acme", project.name, listed.id);
      for (const a of actions ?? []) {
        const common = { name: a.name, type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "host" };
        add("Action", { ...at, ...common, actionId: a.id });
      }
      add("ActionOrder", { ...at, actions: (actions ?? []).map((a) => a.id) });
    }
  }
  return known;
}
