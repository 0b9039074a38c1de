/** Declares `workspacectl graph`. */
import { Option } from "@commander-js/extra-typings";
import { createDocumentOptions } from "../../options/document.js";
import { parts } from "../../options/graph-parts.js";
import { type OptionsOf, parseSomeOf } from "../../options/option-values.js";
import { createOutputOption, createProjectsOption, FormerOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

/** Parts of a drawing that can be omitted. */

const options = [
  ...createDocumentOptions(),
  createOutputOption(),
  new Option("--parts <parts>", `Draw only these parts, separated by commas: ${parts.join(", ")}`).argParser(
    parseSomeOf(parts),
  ),
  createProjectsOption(),
  new FormerOption("--only <parts>", "parts", parseSomeOf(parts)),
] as const;

export type GraphOptions = OptionsOf<typeof options>;

export const graphCommand = defineCommand({
  name: "graph",
  group: "Common commands",
  description: "Draw the workspace as Mermaid text: projects, pipelines, actions and who has access",
  options,
  example: "workspacectl graph -f workspace.yaml -o workspace.mmd",
  run: async () => (await import("./run-graph.js")).runGraph,
});
