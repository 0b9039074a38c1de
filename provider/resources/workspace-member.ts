import { z } from "zod";
import { id } from "../definition/primitives.js";
import { isServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import { defineResource, htmlUrl, output, type Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { isMembership, keys, lists } from "../definition/lists.js";
import { blind, reasonNotToDelete, reasonToKeep } from "./memberships/memberships.js";

/** Spec, Resources: Member; Endpoints: Workspace members. The e-mail is not promised to be shown: see docs/architecture.md. */
export const workspaceMember = defineResource({
  type: "WorkspaceMember",
  noun: "member",
  description: "A person in the workspace, invited by e-mail.",
  args: {
    email: z.email().describe("E-mail address the person is invited under. A change invites another person."),
    admin: z
      .boolean()
      .optional()
      .describe("Is the person an administrator of the workspace?")
      .meta({ default: false }),
    member: id
      .optional()
      .describe(
        "Number of an existing member to take over (with `adopt`) where the service shows no e-mail addresses.",
      )
      .meta({ examples: [42] }),
  },
  outputs: {
    memberId: output("id", id.describe("Number of the member.")),
    name: output("name", z.string().optional().describe("Name; absent until the person has signed in.")),
    htmlUrl,
  },
  id: ["memberId"],
  identity: { state: "memberId", wire: "id" },
  naturalKey: ["email"],
  replaceOn: ["email"],
  mayBeHidden: ["email"],
  local: ["member"],
  wire: {
    admin: {
      to: (admin) => ({ admin }),
      // The owner administers the workspace whatever is declared.
      from: (live, declared) =>
        declared === undefined && live["workspace_owner"] === true ? false : live["admin"],
      keys: () => ["admin"],
    },
  },
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

  matches: (live, at) =>
    live["email"] === at["email"] || (at["member"] !== undefined && live["id"] === at["member"]),
  list: ({ api, workspace }) => ({
    kind: "list",
    key: keys.members,
    load: () => api.members.list(workspace).toArray(),
  }),
  sources(context, at) {
    const member = Number(at["memberId"]);
    const load = () => context.api.members.get(context.workspace, member);
    return [this.list(context, at)!, { kind: "single", key: `members/${member}`, load }];
  },
  async create(context, body, at) {
    // Where e-mails are not shown, only the answer tells that the person was a member already.
    const existing = new Set((await lists.members(context)).map((member) => Number(member["id"])));
    const email = String(body["email"]);
    const created = await context.api.members
      .create(context.workspace, { email }, { existing })
      .catch((error: unknown) => {
        throw isServiceError(error, "conflict") ? hiddenMember(context, email) : error;
      });
    if (existing.has(created.id) && at["adopt"] !== true) {
      throw new ProviderError(
        "already-exists",
        `${email} is a member of workspace ${context.workspace} already (id ${created.id}): ` +
          `set adopt: true to bring the member under this declaration`,
      );
    }
    return created;
  },
  completion: {
    args: ["admin"],
    run: async (context, live, at) =>
      at["admin"] === undefined || at["admin"] === (live["admin"] ?? false)
        ? undefined
        : setAdmin(context, at, at["admin"] === true),
  },
  update: (context, body, at) => setAdmin(context, at, body["admin"] === true),
  undeclared: (context, live) => reasonToKeep(context, Number(live["id"])),
  keepInstead: (context, at) => reasonNotToDelete(context, Number(at["memberId"])),
  async delete(context, at) {
    const member = Number(at["memberId"]);
    await refuseLockout(context, member, String(at["email"]));
    await context.api.members.delete(context.workspace, member);
    context.reads.forgetWhere(isMembership);
  },
});

/** The person is a member already, and no answer tells which one. */
function hiddenMember(context: Context, email: string): ProviderError {
  return new ProviderError(
    "already-exists",
    `${email} is a member of workspace ${context.workspace} already, and the service does not show the e-mail addresses ` +
      `of members: set adopt: true and member: <number>, the last part of the member's address`,
  );
}

async function setAdmin(context: Context, at: Fields, admin: boolean): Promise<object> {
  const member = Number(at["memberId"]);
  if (!admin) await refuseLockout(context, member, String(at["email"]));
  return context.api.members.update(context.workspace, member, { admin });
}

/** Nobody takes the administrator's right from the calling user, or from the last one who has it, by a declaration. */
async function refuseLockout(context: Context, member: number, email: string): Promise<void> {
  const caller = await context.callerId();
  if (caller === member) {
    throw new ProviderError(
      "refused",
      `${email} is the calling user: a run does not take away its own administrator's right. ` +
        `Let another administrator do it, or declare admin: true`,
    );
  }
  if (!(await isAdmin(context, member))) return;
  if (caller === undefined) throw blind(`${email} stays an administrator`);
  for (const other of await lists.members(context)) {
    if (Number(other["id"]) !== member && (await isAdmin(context, Number(other["id"])))) return;
  }
  throw new ProviderError(
    "refused",
    `${email} is the last administrator of workspace ${context.workspace}: make somebody else an administrator first`,
  );
}

async function isAdmin(context: Context, member: number): Promise<boolean> {
  const live = await context.api.members.get(context.workspace, member).catch((error: unknown) => {
    if (isServiceError(error, "not-found")) return undefined;
    throw error;
  });
  return live?.admin === true || live?.workspace_owner === true;
}
