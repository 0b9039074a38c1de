/** Resource type `Project`. */
import { z } from "zod";
import { ProjectMember } from "../client/api/project-members.js";
import { Project, type ProjectUpdate } from "../client/api/projects.js";
import { isServiceError } from "../client/index.js";
import type { Context } from "./definition/context.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { createSingleSource, keys, lists } from "./definition/lists.js";
import { flag, id, nameOrId, optional, text } from "./definition/primitives.js";
import {
  convertIdObject,
  integrationReference,
  memberReference,
  notSent,
  permissionSetReference,
} from "./definition/references.js";
import {
  checkExclusive,
  defineMembersField,
  defineOwnership,
  exclusive,
  exclusiveField,
  labelProjectMember,
} from "./memberships/exclusive-arguments.js";
import { defineExclusiveMembers } from "./memberships/exclusive-members.js";
import { findRights, readProjectPeople } from "./memberships/lists.js";
import { checkOrigin, origin, originArgs, replaceProject } from "./project-origin.js";

const members = defineExclusiveMembers(readProjectPeople);

/** Spec, Resources: Project; Endpoints: Projects. */
export const project = defineResource({
  type: "Project",
  noun: "project",
  description:
    "A project: a Git repository hosted by the service, or one of another provider, with its pipelines.",
  // Its members are read from a list of their own.
  remote: Project.extend({ members: z.array(ProjectMember).nullish() }),
  args: {
    name: optional(
      text,
      "Name in addresses, unique in the workspace. Required unless the project is integrated. A change renames the project in place.",
    ),
    displayName: optional(text, "Full name shown to people. Required for an integrated project."),
    ...originArgs,
    members: optional(
      z.array(
        z.strictObject({
          member: nameOrId.describe("A WorkspaceMember, the member's number, or the e-mail address."),
          permissionSet: nameOrId.describe("A PermissionSet, its number, or its name."),
        }),
      ),
      "With `exclusive: true`, all members of the project with their rights.",
    ),
    exclusive,
    replaceProject,
    deletionProtection: flag(
      "Refuse to delete the project, with its repository and history. To delete it, apply `false` first. `workspacectl` has its own guards and does not ask for it.",
      true,
    ),
  },
  outputs: {
    projectName: output("name", z.string().describe("Name in addresses, even if none was declared.")),
    status: output("status", z.string().describe("ACTIVE or CLOSED.")),
    httpRepository: output("http_repository", z.string().describe("Address of the repository over HTTPS.")),
    sshRepository: output("ssh_repository", z.string().describe("Address of the repository over SSH.")),
    memberIds: {
      schema: optional(
        z.array(z.strictObject({ member: id, permissionSet: id })),
        "Numbers of `members` and of their permission sets.",
      ),
    },
    defaultBranch: output("default_branch", z.string().describe("Default branch.")),
    htmlUrl,
  },
  id: ["projectName"],
  identity: { state: "projectName", apiName: "name" },
  restricted: true,
  naturalKey: ["name"],
  spelling: { name: "name" },
  protect: "deletionProtection",
  clientOnly: ["replaceProject"],
  permits: ["replaceProject"],
  secret: ["customRepoPass"],
  writeOnly: [...origin, "customRepoPass"],
  createOnly: [...origin, "customRepoPass"],
  sets: ["members"],
  serverDefaults: ({ name }) => ({ displayName: name }),
  references: {
    integration: integrationReference,
    members: {
      to: "WorkspaceMember",
      idOutput: "memberIds",
      list: true,
      each: { member: memberReference, permissionSet: permissionSetReference },
      label: labelProjectMember,
    },
  },
  apiFields: {
    integration: convertIdObject("integration"),
    members: defineMembersField((person) => ({ member: person.id, permissionSet: findRights(person) })),
    exclusive: exclusiveField,
    deletionProtection: notSent,
  },
  brief: ({ displayName }) => (typeof displayName === "string" ? JSON.stringify(displayName) : undefined),
  document: { section: "projects", under: { workspace: null }, keyedBy: "name", form: "map" },
  examples: {
    create: {
      name: "web",
      displayName: "Web shop",
      members: [{ member: "@WorkspaceMember", permissionSet: "@PermissionSet" }],
      exclusive: true,
    },
    update: { displayName: "Shop" },
    outside: { displayName: "Changed by hand" },
  },

  rules(args, problem) {
    checkExclusive("ProjectMember")(args, problem);
    checkOrigin(args, problem);
  },
  validateChange({ olds, news, changed }) {
    const moved = findChangedOrigin(changed);
    if (moved.length === 0 || news.replaceProject === "allow") return undefined;
    return {
      message: `project "${String(olds.projectName)}": ${moved.join(", ")} cannot be changed once the project exists`,
      remedy:
        "Undo the change, or set replaceProject: allow to replace the project (its repository and history are lost)",
    };
  },
  replaceWhen: ({ changed }) => findChangedOrigin(changed),
  list: lists.projects,
  sources(context, state, list) {
    const name = context.projectName(state.projectName);
    const load = () => context.api.projects.get(context.workspace, name);
    return [...list, ...members.sources(context, state), createSingleSource(keys.project(name), load)];
  },
  owns(context, state) {
    const project = context.projectName(state.projectName);
    return defineOwnership(keys.projectMembers(project), state, "ProjectMember", { project });
  },
  create: ({ api, workspace }, { members: _, exclusive: _too, ...body }) =>
    api.projects.create(workspace, body),
  afterCreate: members.afterCreate,
  async update(context, body, state, { olds }) {
    const before = context.projectName(olds.projectName ?? state.projectName);
    const updated = await patchProject(context, before, pickPatchable(body, before));
    const here = { ...state, projectName: updated?.name ?? before };
    const changed = await members.update(context, body, here);
    return updated || changed.members ? { name: before, ...updated, ...changed } : undefined;
  },
  delete: (context, { projectName }) =>
    context.api.projects.delete(context.workspace, context.projectName(projectName)),
});

/** The changed arguments that determine the origin of the repository, which is fixed once the project exists. */
function findChangedOrigin(changed: readonly string[]): (typeof origin)[number][] {
  return origin.filter((name) => changed.includes(name));
}

/** Sends the PATCH, if there is anything to send: it accepts neither a repository's password nor members. */
async function patchProject(
  context: Context,
  before: string,
  body: ProjectUpdate,
): Promise<Project | undefined> {
  if (Object.keys(body).length === 0) return undefined;
  const { api, workspace } = context;
  const updated = await api.projects.update(workspace, before, body).catch(async (error: unknown) => {
    // A second attempt, after the response to a rename was lost, does not find the former name any more.
    const name = body.name ?? before;
    if (name === before || !isServiceError(error, "not-found")) throw error;
    return api.projects.get(workspace, name).catch(() => {
      throw error;
    });
  });
  if (updated.name !== before) {
    context.reads.forget(keys.projects);
    context.reads.forgetBelow(keys.project(before));
    context.projectRenamed(before, updated.name);
  }
  return updated;
}

interface Names {
  readonly display_name?: string | null;
  readonly name?: string | null;
}

/** The fields that a PATCH accepts. A display name that is no longer declared becomes the project's name again. */
function pickPatchable({ display_name, name }: Names, currentName: string): ProjectUpdate {
  const title = display_name === null ? (name ?? currentName) : display_name;
  return {
    ...(title === undefined ? {} : { display_name: title }),
    ...(name === undefined ? {} : { name }),
  };
}
