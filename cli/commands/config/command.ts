/** Declares `workspacectl config`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { createJsonOption, stackOption } from "../../options/common.js";
import { createProjectFileOption } from "../../options/document.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const load = () => import("./run.js");

const KEY = "Key, such as workspace-automation:connection; without a namespace, the project's";

const getArguments = { key: new Argument("[key]", KEY) };
const getOptions = [createProjectFileOption(), stackOption(), createJsonOption()] as const;

export type ConfigGetOptions = OptionsOf<typeof getOptions, typeof getArguments>;

const setArguments = {
  key: new Argument("<key>", KEY),
  value: new Argument("[value]", "Value; - reads it from standard input"),
};
const setOptions = [
  createProjectFileOption(),
  stackOption(),
  new Option("--secret", "Encrypt the value"),
] as const;

export type ConfigSetOptions = OptionsOf<typeof setOptions, typeof setArguments>;

export const configCommand = defineCommand({
  name: "config",
  group: "Stacks and tools",
  description: "Get and set the configuration of a stack",
  subcommands: [
    defineCommand({
      name: "get",
      description: "Print a configuration value, or all of them with secrets masked",
      arguments: getArguments,
      options: getOptions,
      example: "workspacectl config get workspace-automation:workspace --stack us",
      run: async () => (await load()).runConfigGet,
    }),
    defineCommand({
      name: "set",
      description: "Set a configuration value; a secret is read from a prompt or standard input",
      arguments: setArguments,
      options: setOptions,
      example: "echo $API_KEY | workspacectl config set api-key - --secret --stack us",
      run: async () => (await load()).runConfigSet,
    }),
  ],
});
