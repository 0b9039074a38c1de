import { clearableText, id } from "../definition/primitives.js";
import { publicKey } from "../definition/formats.js";
import { defineResource, htmlUrl, output } from "../definition/definition.js";

/** Spec, Endpoints: Workspaces and user profile. Keys cannot be edited: a change makes the key anew. */
export const userKey = defineResource({
  type: "UserKey",
  noun: "public key",
  description: "A public SSH key of the calling user.",
  args: {
    content: publicKey.describe("Text of the public key."),
    title: clearableText.optional().describe("What the key is for."),
  },
  outputs: { keyId: output("id", id.describe("Number of the key.")), htmlUrl },
  id: ["keyId"],
  identity: { state: "keyId", wire: "id" },
  naturalKey: ["content"],
  replaceOn: ["content", "title"],
  examples: {
    create: { content: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvn0 ci@example.com", title: "CI" },
    replace: { title: "Continuous integration" },
  },

  list: ({ api }) => ({ kind: "list", key: "user/keys", load: () => api.userKeys.list().toArray() }),
  sources(context, at) {
    const key = Number(at["keyId"]);
    return [
      this.list(context, at)!,
      { kind: "single", key: `user/keys/${key}`, load: () => context.api.userKeys.get(key) },
    ];
  },
  create: ({ api }, body) => api.userKeys.create(body as { content: string }),
  delete: ({ api }, at) => api.userKeys.delete(Number(at["keyId"])),
});
