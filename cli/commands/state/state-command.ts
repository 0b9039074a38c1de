/** Declares `workspacectl state` and `output`: what the state of a stack says of its objects, without the service. */
import { Argument } from "@commander-js/extra-typings";
import { createProjectFileOption } from "../../options/document.js";
import type { OptionsOf } from "../../options/option-values.js";
import { createJsonOption, stackOption } from "../../options/shared-options.js";
import { defineCommand } from "../define-command.js";

const options = [createProjectFileOption(), stackOption(), createJsonOption()] as const;

const listArguments = {
  patterns: new Argument("[patterns...]", "Logical names or patterns, such as 'projects/web/**'"),
};
const showArguments = { object: new Argument("<object>", "Logical name of the object, such as groups/QA") };
const outputArguments = {
  name: new Argument(
    "[name]",
    "Object and output, such as projects/web.httpRepository; or a program's output",
  ),
};

export type StateListOptions = OptionsOf<typeof options, typeof listArguments>;
export type StateShowOptions = OptionsOf<typeof options, typeof showArguments>;
export type OutputOptions = OptionsOf<typeof options, typeof outputArguments>;

const load = () => import("./run-state.js");

export const stateCommand = defineCommand({
  name: "state",
  group: "Stacks and tools",
  description: "Show the objects that a stack manages, as its state records them",
  subcommands: [
    defineCommand({
      name: "list",
      alias: "ls",
      description: "List the names of the objects",
      arguments: listArguments,
      options,
      example: "workspacectl state list 'projects/web/**'",
      run: async () => (await load()).stateList,
    }),
    defineCommand({
      name: "show",
      description: "Show the arguments and outputs of an object, with secrets masked",
      arguments: showArguments,
      options,
      example: "workspacectl state show groups/QA",
      run: async () => (await load()).stateShow,
    }),
  ],
});

export const outputCommand = defineCommand({
  name: "output",
  group: "Stacks and tools",
  description:
    "Print outputs: what the service and programs have returned, such as the address of a repository",
  arguments: outputArguments,
  options,
  example: "workspacectl output projects/web.httpRepository",
  run: async () => (await load()).printOutput,
});
