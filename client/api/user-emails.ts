/** E-mail addresses of the current user. */
import { z } from "zod";
import { createOne, list, named, removeOne, typed } from "../endpoint.js";
import { path } from "../path.js";
import { apiObject, unchecked } from "../schema.js";

export const UserEmail = apiObject({ email: z.string(), confirmed: unchecked<boolean>() });
export type UserEmail = z.infer<typeof UserEmail>;

const manage = { scopes: ["MANAGE_EMAILS"] };
const all = () => path`/user/emails`;
const listed = list(all, UserEmail, { scopes: ["USER_EMAIL"], array: "emails", key: ({ email }) => email });

/** E-mail addresses of the token's user (spec: Workspaces and user profile). */
export const userEmails = {
  /** GET /user/emails. Scope USER_EMAIL. */
  list: listed,
  /** POST /user/emails: unconfirmed at first. Scope MANAGE_EMAILS. Errors: invalid-value. Natural key: the address. */
  create: createOne(all, UserEmail, {
    ...manage,
    body: typed<{ email: string }>(),
    what: ({ email }) => `e-mail ${email}`,
    among: listed,
    matches: (listed, { email }) => listed.email.toLowerCase() === email.toLowerCase(),
  }),
  /** DELETE /user/emails/:email. Scope MANAGE_EMAILS. */
  delete: removeOne(named(all), manage),
};
