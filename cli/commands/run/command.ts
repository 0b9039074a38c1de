/** Declares `workspacectl run`. */
import { Option } from "@commander-js/extra-typings";
import { createPipelineArgument, createServiceOptions, watchOption } from "../../options/common.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const args = { pipeline: createPipelineArgument() };

const options = [
  new Option("--revision <hash>", "Commit to run on (default: HEAD)"),
  new Option("--branch <name>", "Branch, for wildcard pipelines"),
  new Option("--tag <name>", "Tag, for wildcard pipelines"),
  new Option("--comment <text>", "Comment on the execution"),
  new Option("--refresh", "Deploy from scratch"),
  watchOption(),
  ...createServiceOptions(),
] as const;

export type RunOptions = OptionsOf<typeof options, typeof args>;

export const runCommand = defineCommand({
  name: "run",
  group: "Service",
  description: "Run a pipeline",
  arguments: args,
  options,
  example: "workspacectl run web/deploy --branch main --watch",
  run: async () => (await import("./run.js")).run,
});
