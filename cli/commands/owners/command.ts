/** Declares `workspacectl owners`. */
import { Argument, Option } from "commander";
import {
  createConnectionOption,
  createJsonOption,
  createScopeOptions,
  waitOption,
  createWorkspaceOption,
} from "../../options/common.js";
import { allowOptions } from "../../options/document.js";
import { defineCommand } from "../command.js";

export const ownersCommand = defineCommand({
  name: "owners",
  group: "Existing and multiple workspaces",
  description: "Show which file owns what in one workspace, and what nobody owns",
  arguments: {
    files: new Argument("[files...]", "Files or folders for the same workspace (default: workspace.yaml)"),
  },
  options: [
    ...allowOptions(),
    new Option("-s, --stack <name>", "Apply the overlays of this stack to the files"),
    createConnectionOption(),
    createWorkspaceOption(),
    ...createScopeOptions(),
    new Option("--offline", "Read the files only, not the workspace"),
    waitOption(),
    createJsonOption(),
  ],
  example: "workspacectl owners web.yaml platform.yaml",
  run: async () => (await import("./run.js")).runOwners,
});
