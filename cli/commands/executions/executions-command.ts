/** Declares `workspacectl executions`, and `run`, which starts one. */
import { Argument, Option } from "@commander-js/extra-typings";
import { type OptionsOf, parseWholeNumber } from "../../options/option-values.js";
import { createPipelineArgument, createServiceOptions, watchOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const load = () => import("./run-executions.js");

const createOneArguments = () => ({
  pipeline: createPipelineArgument(),
  id: new Argument("<id>", "Number of the execution").argParser(parseWholeNumber(1)),
});

const showArguments = {
  pipeline: createPipelineArgument(),
  id: new Argument("[id]", "Number of the execution (default: the newest)").argParser(parseWholeNumber(1)),
};

const listArguments = { pipeline: createPipelineArgument() };

const listOptions = [
  new Option("-n, --limit <n>", "List at most this many").argParser(parseWholeNumber(1)).default(20),
  ...createServiceOptions(),
] as const;

const createWatchOptions = () => [watchOption(), ...createServiceOptions()] as const;

type OneArguments = ReturnType<typeof createOneArguments>;
export type ListOptions = OptionsOf<typeof listOptions, typeof listArguments>;
export type ShowOptions = OptionsOf<ReturnType<typeof createWatchOptions>, typeof showArguments>;
export type RetryOptions = OptionsOf<ReturnType<typeof createWatchOptions>, OneArguments>;
export type CancelOptions = OptionsOf<ReturnType<typeof createServiceOptions>, OneArguments>;

export const executionsCommand = defineCommand({
  name: "executions",
  group: "Service",
  description: "List, show, retry and cancel executions of a pipeline",
  example: "workspacectl executions list web/deploy",
  configure: (command) => command.helpCommand(false),
  subcommands: [
    defineCommand({
      name: "list",
      description: "List the newest executions",
      arguments: listArguments,
      options: listOptions,
      example: "workspacectl executions list web/deploy --limit 5",
      run: async () => (await load()).listExecutions,
    }),
    defineCommand({
      name: "show",
      description: "Show an execution and its actions",
      arguments: showArguments,
      options: createWatchOptions(),
      example: "workspacectl executions show web/deploy 1234",
      run: async () => (await load()).showExecution,
    }),
    defineCommand({
      name: "retry",
      description: "Run an execution again",
      arguments: createOneArguments(),
      options: createWatchOptions(),
      example: "workspacectl executions retry web/deploy 1234 --watch",
      run: async () => (await load()).retryExecution,
    }),
    defineCommand({
      name: "cancel",
      description: "Cancel an execution",
      arguments: createOneArguments(),
      options: createServiceOptions(),
      example: "workspacectl executions cancel web/deploy 1234",
      run: async () => (await load()).cancelExecution,
    }),
  ],
});

const runArguments = { pipeline: createPipelineArgument() };

const runOptions = [
  new Option("--revision <hash>", "Commit to run on (default: HEAD)"),
  new Option("--branch <name>", "Branch, for wildcard pipelines"),
  new Option("--tag <name>", "Tag, for wildcard pipelines"),
  new Option("--comment <text>", "Comment on the execution"),
  new Option("--refresh", "Deploy from scratch"),
  watchOption(),
  ...createServiceOptions(),
] as const;

export type RunOptions = OptionsOf<typeof runOptions, typeof runArguments>;

export const runCommand = defineCommand({
  name: "run",
  group: "Service",
  description: "Run a pipeline",
  arguments: runArguments,
  options: runOptions,
  example: "workspacectl run web/deploy --branch main --watch",
  run: async () => (await import("./run-executions.js")).run,
});
