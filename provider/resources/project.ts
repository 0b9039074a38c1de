import { z } from "zod";
import { gitAddress } from "../definition/formats.js";
import { id, nameOrId, only, optional, text } from "../definition/primitives.js";
import type { Context } from "../definition/context.js";
import { ProjectMember } from "../../client/api/project-members.js";
import { Project, type ProjectUpdate } from "../../client/api/projects.js";
import { defineResource, htmlUrl, output } from "../definition/define-resource.js";
import {
  exclusive,
  exclusiveRule,
  exclusiveField,
  ownershipOf,
  membersField,
  personLabel,
  type OwnsPeople,
  type WithPeople,
} from "./memberships/exclusive.js";
import { keys, listSource, singleSource } from "../definition/lists.js";
import { bringPeople, changePeople, peopleSource } from "./memberships/memberships.js";
import { projectPeople, rightsOf } from "./memberships/lists.js";
import {
  idObject,
  integrationReference,
  memberReference,
  permissionSetReference,
} from "../definition/references.js";

const createOnly = [
  "integration",
  "externalProjectId",
  "gitLabProjectId",
  "customRepoUrl",
  "customRepoUser",
] as const;

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
    integration: optional(
      nameOrId,
      "Integration of the calling user that gives access to the repository of another provider: its name or number.",
      "git-provider",
    ),
    externalProjectId: optional(
      text,
      "Id of the repository at the other provider. Requires `integration`.",
      "acme/web",
    ),
    gitLabProjectId: optional(
      text,
      "Number of the repository, as a text, at a provider that numbers its repositories.",
      "1234",
    ),
    customRepoUrl: optional(
      gitAddress,
      "Address of any other Git repository. Excludes `integration`.",
      "https://git.example.com/web.git",
    ),
    customRepoUser: optional(text, "User of the repository. Required with `customRepoUrl`.", "deploy"),
    customRepoPass: optional(
      text,
      "Password of the user. Required with a `customRepoUrl` that begins with https.",
      "${env:REPOSITORY_PASSWORD}",
    ),
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
    replaceProject: optional(
      only("allow", "A changed origin replaces the project. Its repository and history are lost."),
      "Allows a change of the repository's origin, which replaces the project: its repository and history are lost.",
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
  naturalKey: ["name"],
  protect: true,
  clientOnly: ["replaceProject"],
  secret: ["customRepoPass"],
  writeOnly: [...createOnly, "customRepoPass"],
  sets: ["members"],
  serverDefaults: ({ name }) => ({ displayName: name }),
  references: {
    integration: integrationReference,
    members: {
      to: "WorkspaceMember",
      idOutput: "memberIds",
      list: true,
      each: { member: memberReference, permissionSet: permissionSetReference },
      label: memberLabel,
    },
  },
  apiFields: {
    integration: idObject("integration"),
    members: membersField((person) => ({ member: person.id, permissionSet: rightsOf(person) })),
    exclusive: exclusiveField,
  },
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
    exclusiveRule("ProjectMember")(args, problem);
    const integrated = args.integration !== undefined || args.externalProjectId !== undefined;
    if (!integrated && args.name === undefined)
      problem("name", "is required unless the project is integrated", "required");
    if (integrated) {
      for (const name of ["displayName", "integration", "externalProjectId"] as const)
        if (args[name] === undefined || args[name] === null)
          problem(name, "is required for an integrated project", "required");
    }
    const { customRepoUrl: url, customRepoUser: user, customRepoPass: password } = args;
    if (url === undefined) {
      const needing = (["customRepoUser", "customRepoPass"] as const).filter(
        (name) => args[name] !== undefined,
      );
      if (needing.length > 0)
        problem("customRepoUrl", `is required with ${needing.join(" and ")}`, "required");
      return;
    }
    if (integrated) problem("customRepoUrl", "excludes integration: a project has one origin", "conflict");
    if (user === undefined) problem("customRepoUser", "is required with customRepoUrl", "required");
    if (typeof url === "string" && /^https:/i.test(url) && password === undefined)
      problem("customRepoPass", "is required when customRepoUrl begins with https", "required");
  },
  validateChange({ olds, news, changed }) {
    const moved = createOnly.filter((name) => changed.includes(name));
    if (moved.length === 0 || news.replaceProject === "allow") return undefined;
    return (
      `project "${String(olds.projectName)}": ${moved.join(", ")} cannot be changed once the project exists. ` +
      `Undo the change, or set replaceProject: allow to replace the project (its repository and history are lost)`
    );
  },
  replaceWhen: ({ changed }) => createOnly.filter((name) => changed.includes(name)),
  list: ({ api, workspace }) => listSource(keys.projects, () => api.projects.list(workspace)),
  sources(context, state, list) {
    const name = context.projectName(state.projectName);
    const load = () => context.api.projects.get(context.workspace, name);
    const people = state.exclusive === true ? [peopleSource(context, projectPeople(context, state))] : [];
    return [...list, ...people, singleSource(keys.project(name), load)];
  },
  owns(context, state) {
    const project = context.projectName(state.projectName);
    return ownershipOf(keys.projectMembers(project), state, "ProjectMember", { project });
  },
  create: ({ api, workspace }, { members: _, exclusive: _too, ...body }) =>
    api.projects.create(workspace, body),
  completion: {
    args: ["members", "exclusive"],
    async run(context, remote, state) {
      if (state.exclusive !== true) return undefined;
      return { ...remote, members: await bringPeople(context, projectPeople(context, state)) };
    },
  },
  async update(context, body, state, { olds }) {
    const before = context.projectName(olds.projectName ?? state.projectName);
    const updated = await patched(context, before, patchable(body, before));
    const here = { ...state, projectName: updated?.name ?? before };
    const people = await changePeople(context, body, here, () => projectPeople(context, here));
    return updated || people.members ? { name: before, ...updated, ...people } : undefined;
  },
  delete: (context, { projectName }) =>
    context.api.projects.delete(context.workspace, context.projectName(projectName)),
});

/** Sends the PATCH, if there is anything to send: it accepts neither a repository's password nor members. */
async function patched(context: Context, before: string, body: ProjectUpdate): Promise<Project | undefined> {
  if (Object.keys(body).length === 0) return undefined;
  const updated = await context.api.projects.update(context.workspace, before, body);
  if (updated.name !== before) {
    context.reads.forget(keys.projects);
    context.reads.forgetBelow(keys.project(before));
    context.projectRenamed(before, updated.name);
  }
  return updated;
}

/** The form of an unmanaged member, or of one with other rights than declared. */
function memberLabel(remote: WithPeople, { member }: { member: number }, state: OwnsPeople): unknown {
  const set = remote.members?.find(({ id }) => id === member)?.permission_set;
  return {
    member: personLabel(remote, member, state),
    ...(set ? { permissionSet: set.name ?? set.id } : {}),
  };
}

interface Names {
  readonly display_name?: string | null;
  readonly name?: string | null;
}

/** The fields that a PATCH accepts. A display name that is no longer declared becomes the project's name again. */
function patchable({ display_name, name }: Names, currentName: string): ProjectUpdate {
  const title = display_name === null ? (name ?? currentName) : display_name;
  return {
    ...(title === undefined ? {} : { display_name: title }),
    ...(name === undefined ? {} : { name }),
  };
}
