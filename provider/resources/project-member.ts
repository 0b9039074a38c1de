import { nameOrId, text } from "../../schema/index.js";
import { defineResource, htmlUrl, resolvedId, type Fields } from "../definition.js";
import { ProviderError } from "../errors.js";
import {
  idObject,
  memberReference,
  notSent,
  permissionSetReference,
  projectReference,
} from "../references.js";

/** Spec, Endpoints: Projects (`/projects/:project_name/members`). */
export const projectMember = defineResource({
  type: "ProjectMember",
  noun: "project member",
  description: "The membership of a person in a project, with the rights the person has there.",
  args: {
    project: text.describe("The project: a Project or its name."),
    projectId: text.optional().describe("Filled in when `project` is a Project."),
    member: nameOrId.describe("The person: a WorkspaceMember, the member's number, or the e-mail address."),
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
  },
  examples: {
    create: { project: "@Project", member: "@WorkspaceMember", permissionSet: "@PermissionSet" },
    update: { permissionSet: "Read-only" },
    outside: { permissionSet: "Developer" },
  },

  matches: (live, at) => live["id"] === at["memberId"],
  list(context, at) {
    const project = context.projectOf(at);
    const load = () => context.api.projectMembers.list(context.workspace, project).toArray();
    return { kind: "list", key: `projects/${project}/members`, load };
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
  completion: {
    args: ["permissionSet"],
    // The service ignores the posted rights when the caller is no administrator (spec, Projects).
    run: (_context, live, at) => {
      const given = (live["permission_set"] as Fields | null | undefined)?.["id"];
      if (given === at["permissionSetId"]) return Promise.resolve(undefined);
      return Promise.reject(
        new ProviderError(
          "not-as-asked",
          `the member was added to project "${String(at["project"])}" but not with the permission set that was asked for: ` +
            `the service gives a new member the caller's own rights unless the caller administers the workspace. ` +
            `Use an administrator's token`,
        ),
      );
    },
  },
  update: (context, body, at) =>
    context.api.projectMembers.update(context.workspace, context.projectOf(at), Number(at["memberId"]), {
      permission_set: body["permission_set"] as { id: number },
    }),
  delete: (context, at) =>
    context.api.projectMembers.delete(context.workspace, context.projectOf(at), Number(at["memberId"])),
});
