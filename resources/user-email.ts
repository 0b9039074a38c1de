/** Resource type `UserEmail`. */
import { z } from "zod";
import { UserEmail } from "../client/api/user-emails.js";
import { defineResource, output } from "./definition/define-resource.js";
import { listSource } from "./definition/lists.js";

/** Spec, Endpoints: Workspaces and user profile. */
export const userEmail = defineResource({
  type: "UserEmail",
  noun: "e-mail address",
  description: "An e-mail address of the calling user. The user confirms it in a message from the service.",
  remote: UserEmail,
  args: { email: z.email().describe("The address.") },
  outputs: {
    confirmed: output("confirmed", z.boolean().describe("Whether the user has confirmed the address.")),
  },
  id: ["email"],
  identity: { state: "email", apiName: "email" },
  naturalKey: ["email"],
  spelling: { email: "email" },
  replaceOn: ["email"],
  examples: { create: { email: "second@example.com" }, replace: { email: "third@example.com" } },

  // The list is complete and the caller's own. No single address can be read.
  list: ({ api }) => listSource("user/emails", () => api.userEmails.list()),
  sources: (_context, _state, list) => list,
  create: ({ api }, _body, { email }) => api.userEmails.create({ email }),
  delete: ({ api }, { email }) => api.userEmails.delete(email),
});
