import { z } from "zod";
import type { CreateOptions } from "../create.js";
import { Area } from "../http.js";
import type { Listing, PageQuery } from "../paging.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told, wire } from "../wire.js";

export const UserEmail = wire({ email: z.string(), confirmed: told<boolean>() });
export type UserEmail = z.infer<typeof UserEmail>;

const manage = { scopes: ["MANAGE_EMAILS"] };

/** E-mail addresses of the token's user (spec: Workspaces and user profile). */
export class UserEmails extends Area {
  /** GET /user/emails. Scope USER_EMAIL. */
  list(query?: PageQuery, options?: CallOptions): Listing<UserEmail> {
    const request = { path: "/user/emails", scopes: ["USER_EMAIL"], query, array: "emails" };
    return this.http.list(UserEmail, { ...request, key: (e) => e.email }, options);
  }

  /** POST /user/emails: unconfirmed at first. Scope MANAGE_EMAILS. Errors: invalid-value. Natural key: the address. */
  create(body: { email: string }, options?: CreateOptions): Promise<UserEmail> {
    const key = {
      what: `e-mail ${body.email}`,
      candidates: (o: CallOptions) => this.list({}, o).toArray(),
      matches: (e: UserEmail) => e.email.toLowerCase() === body.email.toLowerCase(),
      id: (e: UserEmail) => e.email,
      read: (e: UserEmail) => Promise.resolve(e),
    };
    return this.http.create(UserEmail, { path: "/user/emails", ...manage, body }, key, options);
  }

  /** DELETE /user/emails/:email. Scope MANAGE_EMAILS. */
  async delete(email: string, options?: CallOptions): Promise<void> {
    await this.http.remove({ path: path`/user/emails/${email}`, ...manage }, options);
  }
}
