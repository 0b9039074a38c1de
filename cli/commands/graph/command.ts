import { Option } from "commander";
import { FormerOption, outputOption, projectsOption } from "../../options/common.js";
import { documentOptions } from "../../options/document.js";
import { someOf } from "../../options/parsers.js";
import { defineCommand } from "../command.js";
import { parts } from "./parts.js";

export const graphCommand = defineCommand({
  name: "graph",
  group: "Common commands",
  description: "Draw the workspace as Mermaid text: projects, pipelines, actions and who has access",
  options: [
    ...documentOptions(),
    outputOption(),
    new Option(
      "--parts <parts>",
      `Draw only these parts, separated by commas: ${parts.join(", ")}`,
    ).argParser(someOf(parts)),
    projectsOption(),
    new FormerOption("--only <parts>", "parts", someOf(parts)),
  ],
  example: "workspacectl graph -f workspace.yaml -o workspace.mmd",
  run: async () => (await import("./run.js")).graph,
});
