/** Declares `workspacectl graph`. */
import { Option } from "commander";
import { FormerOption, createOutputOption, createProjectsOption } from "../../options/common.js";
import { createDocumentOptions } from "../../options/document.js";
import { parseSomeOf } from "../../options/parsers.js";
import { defineCommand } from "../command.js";
import { parts } from "./parts.js";

export const graphCommand = defineCommand({
  name: "graph",
  group: "Common commands",
  description: "Draw the workspace as Mermaid text: projects, pipelines, actions and who has access",
  options: [
    ...createDocumentOptions(),
    createOutputOption(),
    new Option(
      "--parts <parts>",
      `Draw only these parts, separated by commas: ${parts.join(", ")}`,
    ).argParser(parseSomeOf(parts)),
    createProjectsOption(),
    new FormerOption("--only <parts>", "parts", parseSomeOf(parts)),
  ],
  example: "workspacectl graph -f workspace.yaml -o workspace.mmd",
  run: async () => (await import("./run.js")).runGraph,
});
