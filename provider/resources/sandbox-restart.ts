import { z } from "zod";
import { opaqueObject } from "../definition/primitives.js";
import { sandboxIdentifier } from "../definition/formats.js";
import { defineResource, htmlUrl, output } from "../definition/definition.js";
import { notSent } from "../definition/references.js";

/** Spec, Endpoints: Sandboxes. One restart, made again when its triggers change. */
export const sandboxRestart = defineResource({
  type: "SandboxRestart",
  noun: "sandbox restart",
  description:
    "A restart of a sandbox, made when the resource is created and again whenever `triggers` change.",
  args: {
    sandbox: sandboxIdentifier.describe("Id of the sandbox."),
    triggers: opaqueObject.optional().describe("Values whose change restarts the sandbox again."),
  },
  outputs: { status: output("status", z.string().describe("Status right after the restart.")), htmlUrl },
  id: ["sandbox"],
  identity: { state: "sandbox", wire: "id" },
  naturalKey: [],
  oneShot: true,
  replaceOn: ["sandbox", "triggers"],
  writeOnly: ["triggers"],
  wire: { sandbox: { to: () => ({}), from: (live) => live["id"], keys: () => ["id"] }, triggers: notSent },
  examples: {
    create: { sandbox: "sandbox-1", triggers: { release: 1 } },
    replace: { triggers: { release: 2 } },
  },

  list: () => undefined,
  // A restart is a fact of the past: nothing about it can drift.
  sources: (_context, at) => [
    {
      kind: "single",
      key: `restart/${String(at["sandbox"])}`,
      load: () => Promise.resolve({ id: at["sandbox"] }),
    },
  ],
  create: ({ api, workspace }, _body, at) => api.sandboxes.restart(workspace, String(at["sandbox"])),
  update: () => Promise.resolve(undefined),
  delete: () => Promise.resolve(),
});
