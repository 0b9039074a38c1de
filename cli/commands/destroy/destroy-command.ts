/** Declares `workspacectl destroy`. */
import { Option } from "@commander-js/extra-typings";
import { createDeletionOptions } from "../../options/guards.js";
import type { OptionsOf } from "../../options/option-values.js";
import {
  createCheckpointOption,
  createEngineOptions,
  createYesOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  ...createEngineOptions(),
  createYesOption(),
  new Option("--include-protected", "Also delete protected objects, such as projects"),
  ...createDeletionOptions(),
  createCheckpointOption(),
] as const;

export type DestroyOptions = OptionsOf<typeof options>;

export const destroyCommand = defineCommand({
  name: "destroy",
  group: "Common commands",
  description: "Delete all objects that the stack manages, unless a guard refuses",
  options,
  example: 'workspacectl destroy -f workspace.yaml --include-protected --allow-delete "**"',
  run: async () => (await import("./run-destroy.js")).destroy,
});
