/** The lists and objects that more than one resource type reads. Each is read once per run. */
import type { Listing, ListReading } from "../../client/index.js";
import type { Context } from "./context.js";
import type { ListSource, SingleSource } from "./definition.js";

/** A list that is read under a key. */
export function listSource<T extends object>(
  key: string,
  listing: () => Pick<Listing<T>, "read" | "endsAt">,
): ListSource<T> {
  const load = (isSure = false) => listing().read(isSure);
  return { kind: "list", key, load, endsAt: (items) => listing().endsAt(items) };
}

/** A list that one response shows completely. */
export async function loadWhole<T>(items: Promise<readonly T[]>): Promise<ListReading<T>> {
  return { items: await items, end: "proven" };
}

/** An object that is read by itself under a key. */
export function createSingleSource(key: string, load: () => Promise<object>): SingleSource {
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

/** The lists that more than one type uses. */
export const lists = {
  groups: ({ api, workspace }: Context) => listSource(keys.groups, () => api.groups.list(workspace)),
  members: ({ api, workspace }: Context) => listSource(keys.members, () => api.members.list(workspace)),
  permissionSets: ({ api, workspace }: Context) =>
    listSource(keys.permissionSets, () => api.permissionSets.list(workspace)),
  projects: ({ api, workspace }: Context) => listSource(keys.projects, () => api.projects.list(workspace)),
  integrations: ({ api }: Context) => listSource("integrations", () => api.integrations.list()),
  pipelines: ({ api, workspace }: Context, project: string) =>
    listSource(keys.pipelines(project), () => api.pipelines.list(workspace, project)),
  groupMembers: ({ api, workspace }: Context, group: number) =>
    listSource(keys.groupMembers(group), () => api.groupMembers.list(workspace, group)),
  projectMembers: ({ api, workspace }: Context, project: string) =>
    listSource(keys.projectMembers(project), () => api.projectMembers.list(workspace, project)),
};

/** The items of a list, which is read once. @param isSure proves that there are no others */
export function loadItems<T extends object>(
  { reads }: Context,
  { key, load }: ListSource<T>,
  isSure = false,
): Promise<readonly T[]> {
  return reads.list(key, load, isSure);
}

/** The actions embedded in a pipeline: one request reads the pipeline and all its actions. */
export async function listActionsOf(context: Context, project: string, pipeline: number) {
  const whole = await single.pipeline(context, project, pipeline);
  return whole.actions ?? [];
}

export const single = {
  pipeline: (c: Context, project: string, id: number) =>
    c.reads.single(keys.pipeline(project, id), () => c.api.pipelines.get(c.workspace, project, id)),
};
