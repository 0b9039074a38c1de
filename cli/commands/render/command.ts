/** `workspacectl render` prints a workspace file with everything resolved, except for secrets. */
import { Option } from "@commander-js/extra-typings";
import { createDocumentOptions } from "../../options/document.js";
import { exitCodes } from "../../errors.js";
import { defineCommand } from "../command.js";

export const renderCommand = defineCommand({
  name: "render",
  group: "Common commands",
  description: "Print the file with includes, overlays, templates, defaults and placeholders resolved",
  options: [
    ...createDocumentOptions(),
    new Option("--format <format>", "Output format").choices(["yaml", "json"]).default("yaml"),
  ],
  example: "workspacectl render -f workspace.yaml --stack eu",
  run: async () => {
    const { readDeclarations, renderComposed } = await import("../../../workspace-file/load/index.js");
    const { readOptions } = await import("../../options/read-options.js");
    const { printJson, printYaml } = await import("../../terminal/output.js");
    const { stringify } = await import("yaml");
    return (options, io) => {
      const value = renderComposed(readDeclarations(options.file, readOptions(options, io)));
      if (options.format === "json") printJson(io, value);
      else printYaml(io, stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 }));
      return exitCodes.ok;
    };
  },
});
