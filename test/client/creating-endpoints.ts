/** The endpoints that create an object, for tests of all of them. */
import type { CreateOptions, Listing, WorkspaceAutomationClient as Client } from "../../client/index.js";

/** Describes a creation: the objects before it, the request, and the objects that it created. */
export interface Creation {
  existing: Set<string | number>;
  create: (client: Client, options: CreateOptions) => Promise<unknown>;
  /** Returns the created objects as reported to a client without faults. */
  made: () => Promise<unknown[]>;
}

export const domain = "acme";
export const project = "web";

type Prepare = (calm: Client, name: string) => Promise<Creation>;

/** Prepares a creation in a list. */
async function among<T>(
  list: () => Listing<T>,
  id: (item: T) => string | number,
  create: Creation["create"],
): Promise<Creation> {
  const ids = async () => (await list().toArray()).map(id);
  const existing = new Set(await ids());
  return { existing, create, made: async () => (await ids()).filter((i) => !existing.has(i)) };
}

const byId = (item: { id: number }) => item.id;
const byName = (item: { name: string }) => item.name;

async function pipelineIdOf(calm: Client): Promise<number> {
  return (await calm.pipelines.list(domain, project).toArray())[0]?.id ?? 0;
}

/** Returns a member of the workspace who is not in the list. */
async function someoneElse(calm: Client, known: { id: number }[]): Promise<number> {
  const taken = new Set(known.map(byId));
  const free = (await calm.members.list(domain).toArray()).find((m) => !taken.has(m.id));
  return free?.id ?? 0;
}

/** Returns a key that no other test uses: the wire format of ssh-ed25519 around 32 bytes of the name. */
function publicKey(name: string): string {
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  const point = Buffer.from(name.padEnd(32, "_")).subarray(0, 32);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from("ssh-ed25519")), part(point)]).toString("base64")} ann@laptop`;
}

/** Lists the creating endpoints with a natural key. */
export const creatingEndpoints: Record<string, Prepare> = {
  project: (calm, name) =>
    among(
      () => calm.projects.list(domain),
      byName,
      (c, o) => c.projects.create(domain, { name }, o),
    ),

  member: (calm, name) =>
    among(
      () => calm.members.list(domain),
      byId,
      (c, o) => c.members.create(domain, { email: `${name}@example.com` }, o),
    ),

  group: (calm, name) =>
    among(
      () => calm.groups.list(domain),
      byId,
      (c, o) => c.groups.create(domain, { name }, o),
    ),

  "group member": async (calm, name) => {
    const { id } = await calm.groups.create(domain, { name });
    const member = await someoneElse(calm, []);
    return among(
      () => calm.groupMembers.list(domain, id),
      byId,
      (c, o) => c.groupMembers.create(domain, id, { id: member }, o),
    );
  },

  "project member": async (calm) => {
    const member = await someoneElse(calm, await calm.projectMembers.list(domain, project).toArray());
    const [set] = await calm.permissionSets.list(domain).toArray();
    return among(
      () => calm.projectMembers.list(domain, project),
      byId,
      (c, o) =>
        c.projectMembers.create(domain, project, { id: member, permission_set: { id: set?.id ?? 0 } }, o),
    );
  },

  "permission set": (calm, name) => {
    const levels = { repository_access_level: "READ_ONLY", pipeline_access_level: "RUN_ONLY" } as const;
    return among(
      () => calm.permissionSets.list(domain),
      byId,
      (c, o) => c.permissionSets.create(domain, { name, description: "Read and run", ...levels }, o),
    );
  },

  "workspace variable": (calm, name) =>
    among(
      () => calm.variables.list(domain),
      byId,
      (c, o) => c.variables.create(domain, { key: name, value: "v" }, o),
    ),

  "encrypted pipeline variable": async (calm, name) => {
    const id = await pipelineIdOf(calm);
    return among(
      () => calm.variables.list(domain, { pipelineId: id }),
      byId,
      (c, o) => c.variables.create(domain, { key: name, value: "v", encrypted: true, pipeline: { id } }, o),
    );
  },

  pipeline: (calm, name) =>
    among(
      () => calm.pipelines.list(domain, project),
      byId,
      (c, o) =>
        c.pipelines.create(
          domain,
          project,
          { name, ref_name: "main", ref_type: "BRANCH", trigger_mode: "MANUAL" },
          o,
        ),
    ),

  action: async (calm, name) => {
    const id = await pipelineIdOf(calm);
    const body = {
      name,
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "example.com",
    } as const;
    return among(
      () => calm.actions.list(domain, project, id),
      byId,
      (c, o) => c.actions.create(domain, project, id, body, o),
    );
  },

  "public key": (calm, name) =>
    among(
      () => calm.userKeys.list(),
      byId,
      (c, o) => c.userKeys.create({ title: name, content: publicKey(name) }, o),
    ),

  "e-mail address": (calm, name) =>
    among(
      () => calm.userEmails.list(),
      (e) => e.email,
      (c, o) => c.userEmails.create({ email: `${name}@example.org` }, o),
    ),

  branch: (calm, name) =>
    among(
      () => calm.branches.list(domain, project),
      byName,
      (c, o) => c.branches.create(domain, project, { name, commit: { revision: "main" } }, o),
    ),

  file: (calm, name) => {
    const body = { path: `docs/${name}.md`, content: "aGVsbG8=", message: `Add ${name}`, branch: "main" };
    // A second creation would add a second commit.
    return among(
      () => calm.commits.list(domain, project),
      (commit) => commit.revision,
      (c, o) => c.contents.create(domain, project, body, { ...o, existing: undefined }),
    );
  },
};
