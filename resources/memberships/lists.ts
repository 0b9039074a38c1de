/** The members of a group and of a project: how they are listed, added, changed and removed. */
import type { Context } from "../definition/context.js";
import { keys, lists } from "../definition/lists.js";
import { listMemberships, type OwnsPeople } from "./exclusive-arguments.js";
import { type People, type Person, refuseOtherRights } from "./memberships.js";

export function groupPeople(context: Context, state: OwnsPeople & { readonly groupId: number }): People {
  const { api, workspace } = context;
  const group = state.groupId;
  return {
    list: lists.groupMembers(context, group),
    desired: listMemberships(state),
    add: ({ member }) => api.groupMembers.create(workspace, group, { id: member }),
    remove: (member) => api.groupMembers.delete(workspace, group, member),
  };
}

export function readProjectPeople(
  context: Context,
  state: OwnsPeople & { readonly projectName: string },
): People {
  const { api, workspace } = context;
  const project = context.projectName(state.projectName);
  const desired = listMemberships(state);
  return {
    list: lists.projectMembers(context, project),
    desired,
    add: async ({ member, permissionSet }) => {
      const body = { id: member, permission_set: { id: Number(permissionSet) } };
      const added = await api.projectMembers.create(workspace, project, body);
      refuseOtherRights(added, permissionSet, project);
      return added;
    },
    async adjust({ member, permissionSet }, now) {
      const whole = await withRights(context, project, now);
      if (findRights(whole) === permissionSet) return undefined;
      const body = { permission_set: { id: Number(permissionSet) } };
      return api.projectMembers.update(workspace, project, member, body);
    },
    async detail(now) {
      const whole = await withRights(context, project, now);
      if (findRights(whole) !== undefined) return whole;
      // The service shows rights to administrators only. Hidden rights count as the declared ones.
      const declared = desired.find(({ member }) => member === now.id)?.permissionSet;
      return { ...whole, permission_set: { id: declared } };
    },
    remove: (member) => api.projectMembers.delete(workspace, project, member),
  };
}

/** Reads the rights of a member from their own path where the list does not show them. */
async function withRights(context: Context, project: string, now: Person): Promise<Person> {
  if ("permission_set" in now) return now;
  const load = () => context.api.projectMembers.get(context.workspace, project, now.id);
  return { ...now, ...(await context.reads.single(`${keys.projectMembers(project)}/${now.id}`, load)) };
}

export function findRights({ permission_set }: Person): number | undefined {
  return permission_set?.id;
}
