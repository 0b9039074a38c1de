/** Declares `workspacectl owners`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { allowOptions } from "../../options/document.js";
import type { OptionsOf } from "../../options/option-values.js";
import {
  createConnectionOption,
  createJsonOption,
  createScopeOptions,
  createWorkspaceOption,
  waitOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const args = {
  files: new Argument("[files...]", "Files or folders for the same workspace (default: workspace.yaml)"),
};

const options = [
  ...allowOptions(),
  new Option("-s, --stack <name>", "Apply the overlays of this stack to the files"),
  createConnectionOption(),
  createWorkspaceOption(),
  ...createScopeOptions(),
  new Option("--offline", "Read the files only, not the workspace"),
  waitOption(),
  createJsonOption(),
] as const;

export type OwnersOptions = OptionsOf<typeof options, typeof args>;

export const ownersCommand = defineCommand({
  name: "owners",
  group: "Existing and multiple workspaces",
  description: "Show which file owns what in one workspace, and what nobody owns",
  arguments: args,
  options,
  example: "workspacectl owners web.yaml platform.yaml",
  run: async () => (await import("./run-owners.js")).runOwners,
});
