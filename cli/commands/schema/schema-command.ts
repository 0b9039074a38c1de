/** Declares `workspacectl schema`. */
import { Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "../../options/option-values.js";
import { createOutputOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  new Option("--draft <draft>", "Version of JSON Schema").choices(["07", "2020-12"]).default("2020-12"),
  new Option("--overlay", "Print the schema of overlays instead"),
  createOutputOption(),
] as const;

export type SchemaOptions = OptionsOf<typeof options>;

export const schemaCommand = defineCommand({
  name: "schema",
  group: "Stacks and tools",
  description: "Print the JSON Schema of workspace files, for editors",
  options,
  example: "workspacectl schema -o workspace.schema.json",
  run: async () => (await import("./run-schema.js")).runSchema,
});
