/** Declares `workspacectl validate`. */
import { checkOptions } from "../../options/formats.js";
import { createPolicyOption } from "../../options/guards.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const options = [...checkOptions(), createPolicyOption()] as const;

export type ValidateOptions = OptionsOf<typeof options>;

export const validateCommand = defineCommand({
  name: "validate",
  group: "Common commands",
  description: "Check a workspace file for errors, without contacting the service",
  options,
  example: "workspacectl validate -f workspace.yaml --format github",
  run: async () => (await import("./run.js")).validate,
});
