import { z } from "zod";
import { byId, createOne, getOne, list, byNumber, removeOne, typed } from "../endpoint.js";
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
const one = byNumber(all);
const listed = list(all, UserKey, { scopes, array: "keys", key: byId });
const single = getOne(one, UserKey, { scopes });

/** Public SSH keys of the token's user (spec: Workspaces and user profile). Scope USER_KEY. They cannot be edited. */
export const userKeys = {
  /** GET /user/keys. */
  list: listed,
  /** GET /user/keys/:key_id. Errors: not-found. */
  get: single,
  /** POST /user/keys. Errors: invalid-value. Natural key: the key itself, or the title where lists hide it. */
  create: createOne(all, UserKey, {
    scopes,
    body: typed<UserKeyCreate>(),
    what: ({ title = "" }) => `public key ${JSON.stringify(title)}`,
    among: listed,
    matches: isSameKey,
    single,
  }),
  /** DELETE /user/keys/:key_id. */
  delete: removeOne(one, { scopes }),
};

/** Compares type and key material. The comment after them may be rewritten. */
function isSameKey(listed: UserKey, body: UserKeyCreate): boolean | "maybe" {
  const material = (key: string) => key.trim().split(/\s+/).slice(0, 2).join(" ");
  if (listed.content != null) return material(listed.content) === material(body.content);
  return body.title !== undefined && listed.title !== body.title ? false : "maybe";
}
