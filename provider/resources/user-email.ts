import { z } from "zod";
import { defineResource, output } from "../definition/definition.js";

/** Spec, Endpoints: Workspaces and user profile. */
export const userEmail = defineResource({
  type: "UserEmail",
  noun: "e-mail address",
  description:
    "An e-mail address of the calling user. The person confirms it by a message that the service sends.",
  args: { email: z.email().describe("The address.") },
  outputs: { confirmed: output("confirmed", z.boolean().describe("Has the person confirmed the address?")) },
  id: ["email"],
  identity: { state: "email", wire: "email" },
  naturalKey: ["email"],
  replaceOn: ["email"],
  examples: { create: { email: "second@example.com" }, replace: { email: "third@example.com" } },

  // The list is the caller's own and whole, and there is no read of one address.
  list: ({ api }) => ({ kind: "list", key: "user/emails", load: () => api.userEmails.list().toArray() }),
  sources(context, at) {
    return [this.list(context, at)!];
  },
  create: ({ api }, _body, at) => api.userEmails.create({ email: String(at["email"]) }),
  delete: ({ api }, at) => api.userEmails.delete(String(at["email"])),
});
