/** The lists and objects that more than one resource type reads. Each is read once per run. */
import type { Context } from "./context.js";
import type { ListSource, SingleSource } from "./definition.js";

function load<T extends object>(
  context: Context,
  key: string,
  listing: () => { toArray(): Promise<T[]> },
): Promise<readonly T[]> {
  return context.reads.list(key, () => listing().toArray());
}

/** A list that is read under a key. */
export function listSource<T extends object>(
  key: string,
  listing: () => { toArray(): Promise<T[]> },
): ListSource<T> {
  return { kind: "list", key, load: () => listing().toArray() };
}

/** An object that is read by itself under a key. */
export function singleSource(key: string, load: () => Promise<object>): SingleSource {
  return { kind: "single", key, load };
}

export const keys = {
  groups: "groups",
  members: "members",
  permissionSets: "permissions",
  projects: "projects",
  groupMembers: (group: number) => `groups/${group}/members`,
  projectMembers: (project: string) => `projects/${project}/members`,
  pipelines: (project: string) => `projects/${project}/pipelines`,
  pipeline: (project: string, id: number) => `projects/${project}/pipelines/${id}`,
  actions: (project: string, pipeline: number) => `projects/${project}/pipelines/${pipeline}/actions`,
  project: (name: string) => `projects/${name}`,
};

/** Whether a key belongs to the members of a group or a project, or to one of them. */
export function isMembership(key: string): boolean {
  return /\/members(\/\d+)?$/.test(key);
}

export const lists = {
  groups: (c: Context) => load(c, keys.groups, () => c.api.groups.list(c.workspace)),
  members: (c: Context) => load(c, keys.members, () => c.api.members.list(c.workspace)),
  permissionSets: (c: Context) => load(c, keys.permissionSets, () => c.api.permissionSets.list(c.workspace)),
  projects: (c: Context) => load(c, keys.projects, () => c.api.projects.list(c.workspace)),
  integrations: (c: Context) => load(c, "integrations", () => c.api.integrations.list()),
  pipelines: (c: Context, project: string) =>
    load(c, keys.pipelines(project), () => c.api.pipelines.list(c.workspace, project)),

  /** The actions embedded in a pipeline: one request reads the pipeline and all its actions. */
  actions: async (c: Context, project: string, pipeline: number) => {
    const whole = await single.pipeline(c, project, pipeline);
    return whole.actions ?? [];
  },
};

export const single = {
  pipeline: (c: Context, project: string, id: number) =>
    c.reads.single(keys.pipeline(project, id), () => c.api.pipelines.get(c.workspace, project, id)),
};
