/** Resource type `SandboxRestart`. */
import { z } from "zod";
import { Sandbox } from "../client/api/sandboxes.js";
import { defineResource, htmlUrl, output } from "./definition/define-resource.js";
import { sandboxIdentifier } from "./definition/formats.js";
import { createSingleSource } from "./definition/lists.js";
import { opaqueObject, optional } from "./definition/primitives.js";
import { notSent } from "./definition/references.js";

/** Spec, Endpoints: Sandboxes. One restart, repeated when its triggers change. */
export const sandboxRestart = defineResource({
  type: "SandboxRestart",
  noun: "sandbox restart",
  description: "A restart of a sandbox: when the resource is created, and again whenever `triggers` change.",
  remote: Sandbox,
  args: {
    sandbox: sandboxIdentifier.describe("Id of the sandbox."),
    triggers: optional(opaqueObject, "Values whose change restarts the sandbox again."),
  },
  outputs: { status: output("status", z.string().describe("Status right after the restart.")), htmlUrl },
  id: ["sandbox"],
  identity: { state: "sandbox", apiName: "id" },
  naturalKey: [],
  ephemeral: true,
  replaceOn: ["sandbox", "triggers"],
  writeOnly: ["triggers"],
  apiFields: { sandbox: { to: () => ({}), from: ({ id }) => id, keys: () => ["id"] }, triggers: notSent },
  examples: {
    create: { sandbox: "sandbox-1", triggers: { release: 1 } },
    replace: { triggers: { release: 2 } },
  },

  // A restart cannot drift after it was requested.
  sources: (_context, { sandbox: id }) => [
    createSingleSource(`sandboxes/${id}/restart`, () => Promise.resolve({ id })),
  ],
  create: ({ api, workspace }, _body, { sandbox }) => api.sandboxes.restart(workspace, sandbox),
  update: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
});
