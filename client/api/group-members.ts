/** Members of a group. */
import { administrator, byId, collection, typed } from "../endpoint.js";
import { path } from "../path.js";
import { Member } from "./members.js";
import { MemberSummary } from "./summaries.js";

const scopes = ["WORKSPACE"];
const manage = { scopes, right: administrator };

const all = (domain: string, groupId: number) => path`/workspaces/${domain}/groups/${groupId}/members`;
const member = collection(all, MemberSummary, Member, {
  array: "members",
  key: byId,
  read: { scopes },
  manage,
});

/** Members of a group (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export const groupMembers = {
  /** GET /workspaces/:domain/groups/:group_id/members. */
  list: member.list,
  /** GET /workspaces/:domain/groups/:group_id/members/:member_id. Errors: not-found. */
  get: member.get,
  /** POST /workspaces/:domain/groups/:group_id/members. Errors: invalid-value, denied. Natural key: the member's id. */
  create: member.create({
    body: typed<{ id: number }>(),
    what: ({ id }) => `group member ${id}`,
    matches: (member, { id }) => member.id === id,
  }),
  /** DELETE /workspaces/:domain/groups/:group_id/members/:member_id. */
  delete: member.delete,
};
