/** Declares `workspacectl import`. */
import { createFileOptions, createProgramOption } from "../../options/document.js";
import {
  createConnectionOption,
  createEngineOption,
  createJsonOption,
  createStackOption,
  stackOption,
} from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

export const importCommand = defineCommand({
  name: "import",
  group: "Existing and multiple workspaces",
  description: "Import the existing objects that a file or a program declares into the stack's state",
  options: [
    ...createFileOptions(),
    createProgramOption(),
    stackOption(),
    createConnectionOption(),
    createEngineOption(),
    createStackOption(),
    createJsonOption(),
  ],
  example: "workspacectl import -f workspace.yaml --stack us",
  run: async () => (await import("../../operations/import.js")).importWorkspace,
});
