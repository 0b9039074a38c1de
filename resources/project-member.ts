/** Resource type `ProjectMember`. */
import { ProjectMember } from "../client/api/project-members.js";
import { defineResource, htmlUrl, resolvedId } from "./definition/define-resource.js";
import { createSingleSource, keys, lists } from "./definition/lists.js";
import { nameOrId } from "./definition/primitives.js";
import {
  convertIdObject,
  memberReference,
  notSent,
  permissionSetReference,
  projectArgs,
  projectReference,
} from "./definition/references.js";
import { findReasonNotToDelete, findReasonToKeep, OTHER_RIGHTS } from "./memberships/memberships.js";

/** Spec, Endpoints: Projects (`/projects/:project_name/members`). */
export const projectMember = defineResource({
  type: "ProjectMember",
  noun: "project member",
  description: "The membership of a person in a project, with the rights there.",
  effect: "rights",
  remote: ProjectMember,
  args: {
    ...projectArgs,
    member: nameOrId
      .describe("The person: a WorkspaceMember, the member's number, or the e-mail address.")
      .meta({ examples: ["ann@example.com"] }),
    permissionSet: nameOrId.describe("The rights: a PermissionSet, its number, or its name."),
  },
  outputs: {
    memberId: resolvedId("Number of the member."),
    permissionSetId: resolvedId("Number of the permission set."),
    htmlUrl,
  },
  id: ["project", "memberId"],
  identity: { state: "memberId", apiName: "id" },
  naturalKey: ["project", "member"],
  replaceOn: ["project", "member"],
  forceSend: ["permissionSet"],
  // The service shows rights to administrators only.
  mayBeHidden: ["permissionSet"],
  confirmed: { permissionSet: OTHER_RIGHTS },
  references: { project: projectReference, member: memberReference, permissionSet: permissionSetReference },
  apiFields: {
    project: notSent,
    projectId: notSent,
    member: {
      to: (id, creating) => (creating ? { id } : {}),
      from: ({ id }) => id,
      keys: () => ["id"],
    },
    permissionSet: convertIdObject("permission_set"),
  },
  brief: ({ permissionSet }) => String(permissionSet),
  document: {
    section: "members",
    under: { Project: "project" },
    keyedBy: "member",
    form: "map",
    scalar: "permissionSet",
    exclusiveWhen: "exclusive",
  },
  examples: {
    create: { project: "@Project", member: "@WorkspaceMember", permissionSet: "@PermissionSet" },
    update: { permissionSet: "Read-only" },
    outside: { permissionSet: "Developer" },
  },

  ignoreUnmanaged: (context, { id }) => findReasonToKeep(context, id),
  skipDelete: (context, { memberId }) => findReasonNotToDelete(context, memberId),
  matches: ({ id }, { memberId }) => id === memberId,
  list: (context, state) => lists.projectMembers(context, context.projectOf(state)),
  sources(context, state, list) {
    const project = context.projectOf(state);
    const key = `${keys.projectMembers(project)}/${state.memberId}`;
    const load = () => context.api.projectMembers.get(context.workspace, project, state.memberId);
    return [...list, createSingleSource(key, load)];
  },
  create: (context, _body, state) =>
    context.api.projectMembers.create(context.workspace, context.projectOf(state), {
      id: state.memberId,
      permission_set: { id: state.permissionSetId },
    }),
  update: (context, body, state) =>
    context.api.projectMembers.update(context.workspace, context.projectOf(state), state.memberId, body),
  delete: (context, state) =>
    context.api.projectMembers.delete(context.workspace, context.projectOf(state), state.memberId),
});
