import { Option } from "commander";
import { FormerOption, outputOption, projectsOption } from "../../options/common.js";
import { documentOptions } from "../../options/document.js";
import { someOf } from "../../options/parsers.js";
import { defineCommand } from "../command.js";
import { graphFormats, parts } from "./parts.js";

export const graphCommand = defineCommand({
  name: "graph",
  group: "Common commands",
  description: "Draw the workspace: projects, pipelines, actions and who has access",
  options: [
    ...documentOptions(),
    new Option(
      "--format <format>",
      "Format of the drawing (default: svg when the output file is *.svg, else mermaid)",
    ).choices(graphFormats),
    outputOption(),
    new Option(
      "--parts <parts>",
      `Draw only these parts, separated by commas: ${parts.join(", ")}`,
    ).argParser(someOf(parts)),
    projectsOption(),
    new FormerOption("--only <parts>", "parts", someOf(parts)),
  ],
  example: "workspacectl graph -f workspace.yaml -o workspace.svg",
  run: async () => (await import("./run.js")).graph,
});
