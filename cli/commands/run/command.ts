/** Declares `workspacectl run`. */
import { Option } from "commander";
import { createPipelineArgument, createServiceOptions, watchOption } from "../../options/service.js";
import { defineCommand } from "../command.js";

export const runCommand = defineCommand({
  name: "run",
  group: "Service",
  description: "Run a pipeline",
  arguments: { pipeline: createPipelineArgument() },
  options: [
    new Option("--revision <hash>", "Commit to run on (default: HEAD)"),
    new Option("--branch <name>", "Branch, for wildcard pipelines"),
    new Option("--tag <name>", "Tag, for wildcard pipelines"),
    new Option("--comment <text>", "Comment on the execution"),
    new Option("--refresh", "Deploy from scratch"),
    watchOption(),
    ...createServiceOptions(),
  ],
  example: "workspacectl run web/deploy --branch main --watch",
  run: async () => (await import("./run.js")).run,
});
