/** Groups of a workspace. */
import { z } from "zod";
import { administrator, byId, collection, typed } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const Group = apiObject({
  ...links,
  id: z.int(),
  name: z.string(),
  description: unchecked<string>(),
});
export type Group = z.infer<typeof Group>;
/** The spec names no smaller form for lists. A list may still omit fields. */
export type GroupSummary = Group;

export interface GroupCreate {
  name: string;
  description?: string | null;
}

export type GroupUpdate = Partial<GroupCreate>;

const scopes = ["WORKSPACE"];
const manage = { scopes, right: administrator };

const all = (domain: string) => path`/workspaces/${domain}/groups`;
const group = collection(all, Group, Group, { array: "groups", key: byId, read: { scopes }, manage });

/** Groups of members (spec: Workspace members, groups, permission sets). Scope WORKSPACE. */
export const groups = {
  /** GET /workspaces/:domain/groups. */
  list: group.list,
  /** GET /workspaces/:domain/groups/:group_id. Errors: not-found. */
  get: group.get,
  /** POST /workspaces/:domain/groups. Administrators only. Errors: invalid-value, denied. Natural key: name. */
  create: group.create({
    body: typed<GroupCreate>(),
    what: ({ name }) => `group ${JSON.stringify(name)}`,
    matches: (group, { name }) => group.name === name,
  }),
  /** PATCH /workspaces/:domain/groups/:group_id. Errors: invalid-value, denied, not-found. */
  update: group.update(typed<GroupUpdate>()),
  /** DELETE /workspaces/:domain/groups/:group_id. */
  delete: group.delete,
};
