/** The current user. */
import { z } from "zod";
import { getOne, typed, updateOne } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, links, unchecked } from "../schema.js";

export const User = apiObject({
  ...links,
  id: z.int(),
  name: unchecked<string>(),
  avatar_url: unchecked<string>(),
  title: unchecked<string>(),
  workspaces_url: unchecked<string>(),
});
export type User = z.infer<typeof User>;

export interface UserUpdate {
  name?: string | null;
  title?: string | null;
}

const scopes = ["USER_INFO"];
const one = () => path`/user`;

/** The token's user (spec: Workspaces and user profile). Scope USER_INFO. */
export const currentUser = {
  /** GET /user. */
  get: getOne(one, User, { scopes }),
  /** PATCH /user. Errors: invalid-value. */
  update: updateOne(one, User, { scopes, body: typed<UserUpdate>() }),
};
