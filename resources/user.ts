/** Resource type `User`. */
import { z } from "zod";
import { User } from "../client/api/user.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { createSingleSource } from "./definition/lists.js";
import { clearableText, id, optional, text } from "./definition/primitives.js";

/** Spec, Endpoints: Workspaces and user profile. The calling user already exists, and is never deleted. */
export const user = defineResource({
  type: "User",
  noun: "user profile",
  description: "The profile of the calling user.",
  remote: User,
  args: {
    name: optional(text, "Display name."),
    title: optional(clearableText, "Title shown under the name."),
  },
  outputs: {
    userId: output("id", id.describe("Number of the user.")),
    avatarUrl: output("avatar_url", z.string().describe("Address of the user's picture.")),
    htmlUrl,
  },
  id: ["userId"],
  identity: { state: "userId", apiName: "id" },
  naturalKey: [],
  examples: {
    create: { title: "Engineer" },
    update: { title: "Release engineer" },
    outside: { title: "Changed by hand" },
  },

  sources: ({ api }) => [createSingleSource("user", () => api.user.get())],
  // The profile already exists, so an empty title has to be cleared instead of omitted.
  create: ({ api }, body, { title }) =>
    api.user.update({ ...body, ...(title === "" || title === null ? { title: null } : {}) }),
  update: ({ api }, body) => api.user.update(body),
  delete: () => Promise.resolve(),
});
