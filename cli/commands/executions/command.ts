/** Declares `workspacectl executions`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { parseWholeNumber } from "../../options/parsers.js";
import { createPipelineArgument, createServiceOptions, watchOption } from "../../options/common.js";
import { defineCommand } from "../command.js";

const load = () => import("./run.js");

const createIdArgument = () => new Argument("<id>", "Number of the execution").argParser(parseWholeNumber(1));

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
      arguments: { pipeline: createPipelineArgument() },
      options: [
        new Option("-n, --limit <n>", "List at most this many").argParser(parseWholeNumber(1)).default(20),
        ...createServiceOptions(),
      ],
      example: "workspacectl executions list web/deploy --limit 5",
      run: async () => (await load()).listExecutions,
    }),
    defineCommand({
      name: "show",
      description: "Show an execution and its actions",
      arguments: {
        pipeline: createPipelineArgument(),
        id: new Argument("[id]", "Number of the execution (default: the newest)").argParser(
          parseWholeNumber(1),
        ),
      },
      options: [watchOption(), ...createServiceOptions()],
      example: "workspacectl executions show web/deploy 1234",
      run: async () => (await load()).showExecution,
    }),
    defineCommand({
      name: "retry",
      description: "Run an execution again",
      arguments: { pipeline: createPipelineArgument(), id: createIdArgument() },
      options: [watchOption(), ...createServiceOptions()],
      example: "workspacectl executions retry web/deploy 1234 --watch",
      run: async () => (await load()).retryExecution,
    }),
    defineCommand({
      name: "cancel",
      description: "Cancel an execution",
      arguments: { pipeline: createPipelineArgument(), id: createIdArgument() },
      options: createServiceOptions(),
      example: "workspacectl executions cancel web/deploy 1234",
      run: async () => (await load()).cancelExecution,
    }),
  ],
});
