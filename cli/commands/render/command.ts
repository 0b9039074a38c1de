/** Declares `workspacectl render`. */
import { Option } from "commander";
import { createDocumentOptions } from "../../options/document.js";
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
  run: async () => (await import("./run.js")).render,
});
