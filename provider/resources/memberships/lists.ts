/** Where the people of a group and of a project are, and how one comes, changes and goes. */
import type { Context } from "../../definition/context.js";
import type { Fields, Live } from "../../definition/definition.js";
import { membershipsOf } from "./exclusive.js";
import { keys } from "../../definition/lists.js";
import { refuseOtherRights, type People } from "./memberships.js";

export function groupPeople({ api, workspace }: Context, at: Fields): People {
  const group = Number(at["groupId"]);
  return {
    list: {
      kind: "list",
      key: keys.groupMembers(group),
      load: () => api.groupMembers.list(workspace, group).toArray(),
    },
    wanted: membershipsOf(at),
    add: ({ member }) => api.groupMembers.create(workspace, group, { id: member }),
    remove: (member) => api.groupMembers.delete(workspace, group, member),
  };
}

export function projectPeople(context: Context, at: Fields): People {
  const { api, workspace } = context;
  const project = context.projectName(String(at["projectName"]));
  const wanted = membershipsOf(at);
  return {
    list: {
      kind: "list",
      key: keys.projectMembers(project),
      load: () => api.projectMembers.list(workspace, project).toArray(),
    },
    wanted,
    add: async ({ member, permissionSet }) => {
      const body = { id: member, permission_set: { id: Number(permissionSet) } };
      const added = await api.projectMembers.create(workspace, project, body);
      refuseOtherRights(added, permissionSet, project);
      return added;
    },
    async adjust({ member, permissionSet }, now) {
      const whole = await withRights(context, project, now);
      if (rightsOf(whole) === permissionSet) return undefined;
      const body = { permission_set: { id: Number(permissionSet) } };
      return api.projectMembers.update(workspace, project, member, body);
    },
    async detail(now) {
      const whole = await withRights(context, project, now);
      if (rightsOf(whole) !== undefined) return whole;
      // Rights are shown to administrators only: what cannot be seen is taken for what was declared.
      const declared = wanted.find(({ member }) => member === now["id"])?.permissionSet;
      return { ...whole, permission_set: { id: declared } };
    },
    remove: (member) => api.projectMembers.delete(workspace, project, member),
  };
}

/** The rights of a person, read by themselves where the list does not show them. */
async function withRights(context: Context, project: string, now: Live): Promise<Live> {
  if ("permission_set" in now) return now;
  const member = Number(now["id"]);
  const load = () => context.api.projectMembers.get(context.workspace, project, member);
  const key = `${keys.projectMembers(project)}/${member}`;
  return { ...now, ...((await context.reads.single(key, load)) as Live) };
}

export function rightsOf(person: Live): number | undefined {
  return (person["permission_set"] as { id?: number } | null | undefined)?.id;
}
