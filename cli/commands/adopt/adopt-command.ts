/** Declares `workspacectl adopt`. */
import { Option } from "@commander-js/extra-typings";
import { DEFAULT_FILE } from "../../../automation/next-command.js";
import type { OptionsOf } from "../../options/option-values.js";
import { createConnectionOption, createWorkspaceOption, stackOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [
  new Option("-f, --file <file>", "Workspace file to write; an existing one is used unchanged").default(
    DEFAULT_FILE,
  ),
  new Option(
    "--people <file>",
    "Read the e-mail addresses of members from this file, if the service hides them",
  ).default("people.yaml"),
  stackOption(),
  createConnectionOption(),
  createWorkspaceOption(),
] as const;

export type AdoptOptions = OptionsOf<typeof options>;

export const adoptCommand = defineCommand({
  name: "adopt",
  group: "Getting started",
  description:
    "Take over an existing workspace: export it, import it into a stack, and preview; run it again to continue",
  options,
  example: "workspacectl adopt --stack us",
  run: async () => (await import("./run-adopt.js")).adopt,
});
