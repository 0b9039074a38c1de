import { nameOrId, text } from "../definition/primitives.js";
import { defineResource, htmlUrl, resolvedId } from "../definition/definition.js";
import { keys } from "../definition/lists.js";
import { OTHER_RIGHTS, reasonNotToDelete, reasonToKeep } from "./memberships/memberships.js";
import {
  idObject,
  memberReference,
  notSent,
  permissionSetReference,
  projectReference,
} from "../definition/references.js";

/** Spec, Endpoints: Projects (`/projects/:project_name/members`). */
export const projectMember = defineResource({
  type: "ProjectMember",
  noun: "project member",
  description: "The membership of a person in a project, with the rights the person has there.",
  args: {
    project: text.describe("The project: a Project or its name."),
    projectId: text.optional().describe("Filled in when `project` is a Project."),
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
  identity: { state: "memberId", wire: "id" },
  naturalKey: ["project", "member"],
  replaceOn: ["project", "member"],
  // Rights are shown to administrators only.
  mayBeHidden: ["permissionSet"],
  confirmed: { permissionSet: OTHER_RIGHTS },
  references: { project: projectReference, member: memberReference, permissionSet: permissionSetReference },
  wire: {
    project: notSent,
    projectId: notSent,
    member: {
      to: (id, creating) => (creating ? { id } : {}),
      from: (live) => live["id"],
      keys: () => ["id"],
    },
    permissionSet: idObject("permission_set"),
  },
  document: {
    section: "members",
    under: { Project: "project" },
    keyedBy: "member",
    form: "map",
    scalar: "permissionSet",
    heldWhen: "exclusive",
  },
  examples: {
    create: { project: "@Project", member: "@WorkspaceMember", permissionSet: "@PermissionSet" },
    update: { permissionSet: "Read-only" },
    outside: { permissionSet: "Developer" },
  },

  undeclared: (context, live) => reasonToKeep(context, Number(live["id"])),
  keepInstead: (context, at) => reasonNotToDelete(context, Number(at["memberId"])),
  matches: (live, at) => live["id"] === at["memberId"],
  list(context, at) {
    const project = context.projectOf(at);
    const load = () => context.api.projectMembers.list(context.workspace, project).toArray();
    return { kind: "list", key: keys.projectMembers(project), load };
  },
  sources(context, at) {
    const project = context.projectOf(at);
    const member = Number(at["memberId"]);
    const load = () => context.api.projectMembers.get(context.workspace, project, member);
    return [this.list(context, at)!, { kind: "single", key: `projects/${project}/members/${member}`, load }];
  },
  create: (context, _body, at) =>
    context.api.projectMembers.create(context.workspace, context.projectOf(at), {
      id: Number(at["memberId"]),
      permission_set: { id: Number(at["permissionSetId"]) },
    }),
  update: (context, body, at) =>
    context.api.projectMembers.update(context.workspace, context.projectOf(at), Number(at["memberId"]), {
      permission_set: body["permission_set"] as { id: number },
    }),
  delete: (context, at) =>
    context.api.projectMembers.delete(context.workspace, context.projectOf(at), Number(at["memberId"])),
});
