/** Declares `workspacectl config`. */
import { Argument, Option } from "@commander-js/extra-typings";
import { createJsonOption, stackOption } from "../../options/common.js";
import { createProjectFileOption } from "../../options/document.js";
import { defineCommand } from "../command.js";

const load = () => import("./run.js");

const KEY = "Key, such as workspace-automation:connection; without a namespace, the project's";

export const configCommand = defineCommand({
  name: "config",
  group: "Stacks and tools",
  description: "Get and set the configuration of a stack",
  subcommands: [
    defineCommand({
      name: "get",
      description: "Print a configuration value, or all of them with secrets masked",
      arguments: { key: new Argument("[key]", KEY) },
      options: [createProjectFileOption(), stackOption(), createJsonOption()],
      example: "workspacectl config get workspace-automation:workspace --stack us",
      run: async () => (await load()).runConfigGet,
    }),
    defineCommand({
      name: "set",
      description: "Set a configuration value; a secret is read from a prompt or standard input",
      arguments: {
        key: new Argument("<key>", KEY),
        value: new Argument("[value]", "Value; - reads it from standard input"),
      },
      options: [createProjectFileOption(), stackOption(), new Option("--secret", "Encrypt the value")],
      example: "echo $API_KEY | workspacectl config set api-key - --secret --stack us",
      run: async () => (await load()).runConfigSet,
    }),
  ],
});
