/** Resource type `WorkspaceMember`. */
import { z } from "zod";
import { Member } from "../client/api/members.js";
import { isServiceError } from "../client/index.js";
import type { Context } from "./definition/context.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { createSingleSource, isMembership, lists, loadItems } from "./definition/lists.js";
import { flag, id, optional } from "./definition/primitives.js";
import { ProviderError } from "./errors.js";
import {
  createUnknownCallerError,
  findReasonNotToDelete,
  findReasonToKeep,
} from "./memberships/memberships.js";

/** Spec, Resources: Member; Endpoints: Workspace members. The service may hide the e-mail address: see docs/decisions.md. */
export const workspaceMember = defineResource({
  type: "WorkspaceMember",
  noun: "member",
  description: "A person in the workspace, invited by e-mail.",
  effect: "rights",
  remote: Member,
  args: {
    email: z.email().describe("E-mail address of the invitation. A change invites another person."),
    admin: flag("Whether the person is an administrator of the workspace.", false),
    member: optional(
      id,
      "Number of an existing member to adopt (with `adopt`), where the service shows no e-mail addresses.",
      42,
    ),
  },
  outputs: {
    memberId: output("id", id.describe("Number of the member.")),
    name: output("name", optional(z.string(), "Name; absent until the person has signed in.")),
    htmlUrl,
  },
  id: ["memberId"],
  identity: { state: "memberId", apiName: "id" },
  restricted: true,
  naturalKey: ["email"],
  spelling: { email: "email" },
  replaceOn: ["email"],
  mayBeHidden: ["email"],
  clientOnly: ["member"],
  apiFields: {
    admin: {
      to: (admin) => ({ admin }),
      // The owner is an administrator regardless of the declaration.
      from: ({ admin, workspace_owner }, declared) =>
        declared === undefined && workspace_owner === true ? false : admin,
      keys: () => ["admin"],
    },
  },
  brief: ({ admin }) => (admin === true ? "administrator" : undefined),
  document: {
    section: "members",
    under: { workspace: null },
    keyedBy: "email",
    numberedBy: "member",
    form: "map",
  },
  examples: {
    create: { email: "ann@example.com", admin: true },
    update: { admin: false },
    replace: { email: "other@example.com" },
    outside: { admin: true },
    adopt: { member: "memberId" },
  },

  matches: (remote, { email, member }) =>
    remote.email === email || (member !== undefined && remote.id === member),
  list: lists.members,
  sources: ({ api, workspace }, { memberId }, list) => [
    ...list,
    createSingleSource(`members/${memberId}`, () => api.members.get(workspace, memberId)),
  ],
  async create(context, { email }, { adopt }) {
    // Where e-mail addresses are hidden, only the response shows that the person was a member already.
    const existing = new Set((await loadItems(context, lists.members(context))).map(({ id }) => id));
    const created = await context.api.members
      .create(context.workspace, { email }, { existing })
      .catch((error: unknown) => {
        throw isServiceError(error, "conflict") ? createHiddenMemberError(context, email) : error;
      });
    if (!existing.has(created.id)) return created;
    if (adopt !== true) {
      throw new ProviderError(
        "already-exists",
        `${email} is already a member of workspace ${context.workspace} (id ${created.id})`,
        "set adopt: true to manage the member with this declaration",
      );
    }
    context.adopted("WorkspaceMember", `${context.workspace}/${created.id}`);
    return created;
  },
  afterCreate: {
    args: ["admin"],
    run: async (context, remote, state) =>
      state.admin === undefined || state.admin === (remote.admin ?? false)
        ? undefined
        : setAdmin(context, state, state.admin),
  },
  update: (context, body, state) => setAdmin(context, state, body.admin === true),
  ignoreUnmanaged: (context, { id }) => findReasonToKeep(context, id),
  skipDelete: (context, { memberId }) => findReasonNotToDelete(context, memberId),
  async delete(context, { memberId, email }) {
    await refuseLockout(context, memberId, email);
    await context.api.members.delete(context.workspace, memberId);
    context.reads.forgetWhere(isMembership);
  },
});

interface Person {
  readonly memberId: number;
  readonly email: string;
}

/** The error for a person who is a member already, where no response shows which one. */
function createHiddenMemberError(context: Context, email: string): ProviderError {
  return new ProviderError(
    "already-exists",
    `${email} is already a member of workspace ${context.workspace}, and the service does not return the e-mail addresses of members`,
    "to manage that member, set adopt: true and member: <number>. The number is the last part of the address of the member's page in the web application",
  );
}

async function setAdmin(context: Context, { memberId, email }: Person, admin: boolean): Promise<object> {
  if (!admin) await refuseLockout(context, memberId, email);
  return context.api.members.update(context.workspace, memberId, { admin });
}

/** Refuses to take the administrator's right away from the calling user and from the last administrator. */
async function refuseLockout(context: Context, member: number, email: string): Promise<void> {
  const caller = await context.callerId();
  if (caller === member) {
    throw new ProviderError(
      "refused",
      `${email} is the user of the token that runs this command, and nobody can remove their own administrator right`,
      "Let another administrator run it, or declare admin: true for this member",
    );
  }
  if (!(await isAdmin(context, member))) return;
  if (caller === undefined) throw createUnknownCallerError(`${email} stays an administrator`);
  for (const { id } of await loadItems(context, lists.members(context)))
    if (id !== member && (await isAdmin(context, id))) return;
  throw new ProviderError(
    "refused",
    `${email} is the last administrator of workspace ${context.workspace}`,
    "make another member an administrator first",
  );
}

async function isAdmin(context: Context, member: number): Promise<boolean> {
  const remote = await context.api.members.get(context.workspace, member).catch((error: unknown) => {
    if (isServiceError(error, "not-found")) return undefined;
    throw error;
  });
  return remote?.admin === true || remote?.workspace_owner === true;
}
