/** Lists every endpoint of the specification with its method, request and response. */
import type { WorkspaceAutomationClient as Client } from "../../client/index.js";

const W = "/workspaces/acme";
const P = `${W}/projects/web`;
const R = `${P}/repository`;
const PP = `${P}/pipelines`;
const PE = `${PP}/3/executions`;
const PAGE = "?page=1&per_page=100";

const named = { id: 1, name: "x" };
const commit = { revision: "abc" };
const entry = { path: "a.txt" };
const key = { id: 1, key: "K" };
const action = { id: 1, name: "x", type: "PING" };
const run = { id: 1, status: "INPROGRESS" };

export type Row = [
  endpoint: string,
  call: (c: Client) => Promise<unknown>,
  answer: object | undefined,
  body?: object,
];

const list = (
  endpoint: string,
  call: (c: Client) => AsyncIterable<unknown>,
  array: string,
  item: object,
): Row => [
  `GET ${endpoint}${endpoint.includes("?") ? "" : PAGE}`,
  async (c) => {
    const all: unknown[] = [];
    for await (const one of call(c)) all.push(one);
    return { [array]: all };
  },
  { [array]: [item] },
];

const gone = undefined;
const level = { repository_access_level: "READ_ONLY", pipeline_access_level: "DENIED" } as const;
const set = { name: "x", description: "d", ...level };
const pipeline = { name: "x", ref_name: "main", trigger_mode: "MANUAL" } as const;
const ping = { name: "x", type: "PING", trigger_time: "ON_EVERY_EXECUTION", destination: "d" } as const;
const file = { content: "aGk=", message: "m" };
const sortedBy = "sort_by=name&sort_direction=ASC";

export const rows: readonly Row[] = [
  list("/workspaces", (c) => c.workspaces.list(), "workspaces", { id: 1, domain: "acme" }),
  [`GET ${W}`, (c) => c.workspaces.get("acme"), { id: 1, domain: "acme", frozen: false }],
  ["GET /user", (c) => c.user.get(), named],
  ["PATCH /user", (c) => c.user.update({ title: "Dev" }), named, { title: "Dev" }],
  list("/user/keys", (c) => c.userKeys.list(), "keys", { id: 1 }),
  [
    "POST /user/keys",
    (c) => c.userKeys.create({ content: "ssh-rsa A" }),
    { id: 1 },
    { content: "ssh-rsa A" },
  ],
  ["GET /user/keys/1", (c) => c.userKeys.get(1), { id: 1 }],
  ["DELETE /user/keys/1", (c) => c.userKeys.delete(1), gone],
  list("/user/emails", (c) => c.userEmails.list(), "emails", { email: "a@b.c" }),
  [
    "POST /user/emails",
    (c) => c.userEmails.create({ email: "a@b.c" }),
    { email: "a@b.c" },
    { email: "a@b.c" },
  ],
  ["DELETE /user/emails/a%40b.c", (c) => c.userEmails.delete("a@b.c"), gone],
  list("/user/integrations", (c) => c.integrations.list(), "integrations", named),
  ["GET /user/integrations/1", (c) => c.integrations.get(1), named],

  list(
    `${W}/projects?membership=true&${sortedBy}&status=ACTIVE&page=1&per_page=100`,
    (c) =>
      c.projects.list("acme", { membership: true, sort_by: "name", sort_direction: "ASC", status: "ACTIVE" }),
    "projects",
    { name: "web" },
  ),
  [`POST ${W}/projects`, (c) => c.projects.create("acme", { name: "web" }), { name: "web" }, { name: "web" }],
  [`GET ${P}`, (c) => c.projects.get("acme", "web"), { name: "web", size: 0 }],
  [
    `PATCH ${P}`,
    (c) => c.projects.update("acme", "web", { name: "shop" }),
    { name: "shop" },
    { name: "shop" },
  ],
  [`DELETE ${P}`, (c) => c.projects.delete("acme", "web"), gone],
  list(
    `${P}/members?${sortedBy}&page=1&per_page=100`,
    (c) => c.projectMembers.list("acme", "web", { sort_by: "name", sort_direction: "ASC" }),
    "members",
    named,
  ),
  [
    `POST ${P}/members`,
    (c) => c.projectMembers.create("acme", "web", { id: 1, permission_set: { id: 2 } }),
    { ...named, permission_set: named },
    { id: 1, permission_set: { id: 2 } },
  ],
  [`GET ${P}/members/1`, (c) => c.projectMembers.get("acme", "web", 1), named],
  [
    `PATCH ${P}/members/1`,
    (c) => c.projectMembers.update("acme", "web", 1, { permission_set: { id: 2 } }),
    named,
    { permission_set: { id: 2 } },
  ],
  [`DELETE ${P}/members/1`, (c) => c.projectMembers.delete("acme", "web", 1), gone],

  list(`${W}/members`, (c) => c.members.list("acme"), "members", { id: 1, name: null }),
  [`POST ${W}/members`, (c) => c.members.create("acme", { email: "a@b.c" }), { id: 1 }, { email: "a@b.c" }],
  [`GET ${W}/members/1`, (c) => c.members.get("acme", 1), { ...named, admin: true }],
  [`PATCH ${W}/members/1`, (c) => c.members.update("acme", 1, { admin: true }), named, { admin: true }],
  [`DELETE ${W}/members/1`, (c) => c.members.delete("acme", 1), gone],
  list(
    `${W}/members/1/projects?all=true&page=1&per_page=100`,
    (c) => c.members.listProjects("acme", 1, { all: true }),
    "projects",
    { name: "web" },
  ),
  list(`${W}/groups`, (c) => c.groups.list("acme"), "groups", named),
  [`POST ${W}/groups`, (c) => c.groups.create("acme", { name: "x" }), named, { name: "x" }],
  [`GET ${W}/groups/1`, (c) => c.groups.get("acme", 1), named],
  [
    `PATCH ${W}/groups/1`,
    (c) => c.groups.update("acme", 1, { description: null }),
    named,
    { description: null },
  ],
  [`DELETE ${W}/groups/1`, (c) => c.groups.delete("acme", 1), gone],
  list(`${W}/groups/1/members`, (c) => c.groupMembers.list("acme", 1), "members", named),
  [`POST ${W}/groups/1/members`, (c) => c.groupMembers.create("acme", 1, { id: 2 }), { id: 2 }, { id: 2 }],
  [`GET ${W}/groups/1/members/2`, (c) => c.groupMembers.get("acme", 1, 2), { id: 2, admin: false }],
  [`DELETE ${W}/groups/1/members/2`, (c) => c.groupMembers.delete("acme", 1, 2), gone],
  list(`${W}/permissions`, (c) => c.permissionSets.list("acme"), "permission_sets", named),
  [`POST ${W}/permissions`, (c) => c.permissionSets.create("acme", set), named, set],
  [`GET ${W}/permissions/1`, (c) => c.permissionSets.get("acme", 1), named],
  [`PATCH ${W}/permissions/1`, (c) => c.permissionSets.update("acme", 1, set), named, set],
  [`DELETE ${W}/permissions/1`, (c) => c.permissionSets.delete("acme", 1), gone],

  list(`${R}/branches`, (c) => c.branches.list("acme", "web"), "branches", { name: "main", default: true }),
  [`GET ${R}/branches/main`, (c) => c.branches.get("acme", "web", "main"), { name: "main", commit }],
  [
    `POST ${R}/branches`,
    (c) => c.branches.create("acme", "web", { name: "dev", commit }),
    { name: "dev" },
    { name: "dev", commit },
  ],
  [
    `DELETE ${R}/branches/dev?force=true`,
    (c) => c.branches.delete("acme", "web", "dev", { force: true }),
    gone,
  ],
  list(`${R}/tags`, (c) => c.tags.list("acme", "web"), "tags", { name: "v1" }),
  [`GET ${R}/tags/v1`, (c) => c.tags.get("acme", "web", "v1"), { name: "v1", commit }],
  list(`${R}/pulls`, (c) => c.pullRequests.list("acme", "web"), "pull_requests", { name: "Fix" }),
  [`GET ${R}/pulls/4`, (c) => c.pullRequests.get("acme", "web", 4), { name: "Fix" }],
  list(
    `${R}/commits?author=ann&revision=main&page=1&per_page=100`,
    (c) => c.commits.list("acme", "web", { author: "ann", revision: "main" }),
    "commits",
    commit,
  ),
  [`GET ${R}/commits/abc`, (c) => c.commits.get("acme", "web", "abc"), { ...commit, files: [] }],
  [
    `GET ${R}/comparison/main...dev${PAGE}`,
    (c) => c.comparison.get("acme", "web", "main", "dev"),
    { commits: [commit], ahead: 1, behind: 0 },
  ],
  list(
    `${R}/contents/src/a.txt?revision=dev&page=1&per_page=100`,
    (c) => c.contents.list("acme", "web", "src/a.txt", { revision: "dev" }),
    "contents",
    entry,
  ),
  list(`${R}/contents`, (c) => c.contents.list("acme", "web", ""), "contents", entry),
  [
    `POST ${R}/contents`,
    (c) => c.contents.create("acme", "web", { ...file, path: "a.txt" }),
    { content: entry, commit },
    { ...file, path: "a.txt" },
  ],
  [
    `PUT ${R}/contents/a.txt`,
    (c) => c.contents.update("acme", "web", "a.txt", { ...file, branch: "dev" }),
    { content: entry, commit },
    { ...file, branch: "dev" },
  ],
  [
    `DELETE ${R}/contents/a.txt`,
    (c) => c.contents.delete("acme", "web", "a.txt", { message: "m" }),
    commit,
    { message: "m" },
  ],

  list(
    `${W}/variables?projectName=web&pipelineId=3&actionId=4&page=1&per_page=100`,
    (c) => c.variables.list("acme", { projectName: "web", pipelineId: 3, actionId: 4 }),
    "variables",
    key,
  ),
  [
    `POST ${W}/variables`,
    (c) => c.variables.create("acme", { key: "K", value: "v", project: { name: "web" } }),
    key,
    { key: "K", value: "v", project: { name: "web" } },
  ],
  [`GET ${W}/variables/1`, (c) => c.variables.get("acme", 1), key],
  [
    `PATCH ${W}/variables/1`,
    (c) => c.variables.update("acme", 1, { key: "K", value: "v", settable: true }),
    key,
    { key: "K", value: "v", settable: true },
  ],
  [`DELETE ${W}/variables/1`, (c) => c.variables.delete("acme", 1), gone],

  list(PP, (c) => c.pipelines.list("acme", "web"), "pipelines", named),
  [`POST ${PP}`, (c) => c.pipelines.create("acme", "web", pipeline), { ...named, actions: [] }, pipeline],
  [`GET ${PP}/3`, (c) => c.pipelines.get("acme", "web", 3), { ...named, actions: [action] }],
  [`PATCH ${PP}/3`, (c) => c.pipelines.update("acme", "web", 3, { paused: true }), named, { paused: true }],
  [`DELETE ${PP}/3`, (c) => c.pipelines.delete("acme", "web", 3), gone],
  list(
    `${PP}/3/actions?trigger_time=ON_FAILURE&page=1&per_page=100`,
    (c) => c.actions.list("acme", "web", 3, { trigger_time: "ON_FAILURE" }),
    "actions",
    action,
  ),
  [`POST ${PP}/3/actions`, (c) => c.actions.create("acme", "web", 3, ping), action, ping],
  [`GET ${PP}/3/actions/1`, (c) => c.actions.get("acme", "web", 3, 1), { ...action, destination: "d" }],
  [
    `PATCH ${PP}/3/actions/1`,
    (c) => c.actions.update("acme", "web", 3, 1, { after_action_id: 2 }),
    action,
    { after_action_id: 2 },
  ],
  [`DELETE ${PP}/3/actions/1`, (c) => c.actions.delete("acme", "web", 3, 1), gone],

  list(PE, (c) => c.executions.list("acme", "web", 3), "executions", run),
  [
    `POST ${PE}`,
    (c) => c.executions.create("acme", "web", 3, { to_revision: { revision: "HEAD" }, refresh: true }),
    run,
    { to_revision: { revision: "HEAD" }, refresh: true },
  ],
  [`GET ${PE}/1`, (c) => c.executions.get("acme", "web", 3, 1), { ...run, action_executions: [] }],
  [
    `PATCH ${PE}/1`,
    (c) => c.executions.update("acme", "web", 3, 1, { operation: "CANCEL" }),
    run,
    { operation: "CANCEL" },
  ],
  [
    `POST ${W}/sandboxes/sb/restart`,
    (c) => c.sandboxes.restart("acme", "sb"),
    { id: "sb", status: "STARTING" },
  ],
];
