/** Resource type `UserKey`. */
import { UserKey } from "../client/api/user-keys.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { publicKey } from "./definition/formats.js";
import { createSingleSource, listSource } from "./definition/lists.js";
import { clearableText, id, optional } from "./definition/primitives.js";

/** Spec, Endpoints: Workspaces and user profile. A key cannot be changed, only replaced. */
export const userKey = defineResource({
  type: "UserKey",
  noun: "public key",
  description: "A public SSH key of the calling user.",
  effect: "rights",
  remote: UserKey,
  args: {
    content: publicKey.describe("Text of the public key."),
    title: optional(clearableText, "Title of the key."),
  },
  outputs: { keyId: output("id", id.describe("Number of the key.")), htmlUrl },
  id: ["keyId"],
  identity: { state: "keyId", apiName: "id" },
  naturalKey: ["content"],
  spelling: { content: "name" },
  replaceOn: ["content", "title"],
  examples: {
    create: { content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com", title: "CI" },
    replace: { title: "Continuous integration" },
  },

  list: ({ api }) => listSource("user/keys", () => api.userKeys.list()),
  sources: ({ api }, { keyId }, list) => [
    ...list,
    createSingleSource(`user/keys/${keyId}`, () => api.userKeys.get(keyId)),
  ],
  create: ({ api }, body) => api.userKeys.create(body),
  delete: ({ api }, { keyId }) => api.userKeys.delete(keyId),
});
