import { z } from "zod";
import { Area } from "../http.js";
import type { CallOptions } from "../transport.js";
import { links, told, wire } from "../wire.js";

export const User = wire({
  ...links,
  id: z.int(),
  name: told<string>(),
  avatar_url: told<string>(),
  title: told<string>(),
  workspaces_url: told<string>(),
});
export type User = z.infer<typeof User>;

export interface UserUpdate {
  name?: string | null;
  title?: string | null;
}

const request = { path: "/user", scopes: ["USER_INFO"] };

/** The token's user (spec: Workspaces and user profile). Scope USER_INFO. */
export class CurrentUser extends Area {
  /** GET /user. */
  get(options?: CallOptions): Promise<User> {
    return this.http.get(User, request, options);
  }

  /** PATCH /user. Errors: invalid-value. */
  update(body: UserUpdate, options?: CallOptions): Promise<User> {
    return this.http.send(User, { method: "PATCH", ...request, body }, options);
  }
}
