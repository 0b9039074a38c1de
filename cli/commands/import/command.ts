/** Declares `workspacectl import`. */
import { Option } from "commander";
import {
  createConnectionOption,
  createStackOption,
  createEngineOption,
  createJsonOption,
  stackOption,
} from "../../options/common.js";
import { createFileOptions } from "../../options/document.js";
import { defineCommand } from "../command.js";

export const importCommand = defineCommand({
  name: "import",
  group: "Existing and multiple workspaces",
  description: "Import the existing objects that a file or a program declares into the stack's state",
  options: [
    ...createFileOptions(),
    new Option("--program <dir>", "Folder of a Pulumi program, instead of a file").conflicts([
      "file",
      "overlay",
      "allowPath",
    ]),
    stackOption(),
    createConnectionOption(),
    createEngineOption(),
    createStackOption(),
    createJsonOption(),
  ],
  example: "workspacectl import -f workspace.yaml --stack us",
  run: async () => (await import("./run.js")).importWorkspace,
});
