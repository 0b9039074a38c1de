/** SSH keys of the current user. */
import { z } from "zod";
import { byId, collection, typed } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const UserKey = apiObject({
  ...links,
  id: z.int(),
  title: unchecked<string>(),
  content: unchecked<string>(),
});
export type UserKey = z.infer<typeof UserKey>;

export interface UserKeyCreate {
  /** The public key, one line. */
  content: string;
  title?: string;
}

const scopes = ["USER_KEY"];
const all = () => path`/user/keys`;
const userKey = collection(all, UserKey, UserKey, {
  array: "keys",
  key: byId,
  read: { scopes },
  manage: { scopes },
});

/** Public SSH keys of the token's user (spec: Workspaces and user profile). Scope USER_KEY. They cannot be edited. */
export const userKeys = {
  /** GET /user/keys. */
  list: userKey.list,
  /** GET /user/keys/:key_id. Errors: not-found. */
  get: userKey.get,
  /** POST /user/keys. Errors: invalid-value. Natural key: the key itself, or the title where lists hide it. */
  create: userKey.create({
    body: typed<UserKeyCreate>(),
    what: ({ title = "" }) => `public key ${JSON.stringify(title)}`,
    matches: isSameKey,
  }),
  /** DELETE /user/keys/:key_id. */
  delete: userKey.delete,
};

/** Compares type and key material. The comment after them may be rewritten. */
function isSameKey(listed: UserKey, body: UserKeyCreate): boolean | "maybe" {
  const material = (key: string) => key.trim().split(/\s+/).slice(0, 2).join(" ");
  if (listed.content != null) return material(listed.content) === material(body.content);
  return body.title !== undefined && listed.title !== body.title ? false : "maybe";
}
