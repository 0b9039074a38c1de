import { administrator, byId, createOne, getOne, list, byNumber, removeOne, typed } from "../endpoint.js";
import { path } from "../path.js";
import { Member } from "./members.js";
import { MemberSummary } from "./summaries.js";

const scopes = ["WORKSPACE"];
const manage = { scopes, right: administrator };

const all = (domain: string, groupId: number) => path`/workspaces/${domain}/groups/${groupId}/members`;
const one = byNumber(all);

const listed = list(all, MemberSummary, { scopes, array: "members", key: byId });
const single = getOne(one, Member, { scopes });

/** Members of a group (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export const groupMembers = {
  /** GET /workspaces/:domain/groups/:group_id/members. */
  list: listed,
  /** GET /workspaces/:domain/groups/:group_id/members/:member_id. Errors: not-found. */
  get: single,
  /** POST /workspaces/:domain/groups/:group_id/members. Errors: invalid-value, denied. Natural key: the member's id. */
  create: createOne(all, Member, {
    ...manage,
    body: typed<{ id: number }>(),
    what: ({ id }) => `group member ${id}`,
    among: listed,
    matches: (member, { id }) => member.id === id,
    single,
  }),
  /** DELETE /workspaces/:domain/groups/:group_id/members/:member_id. */
  delete: removeOne(one, manage),
};
