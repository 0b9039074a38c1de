/** Declares `workspacectl rules`. */
import { Argument } from "@commander-js/extra-typings";
import { createJsonOption } from "../../options/common.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const args = {
  folder: new Argument("<folder>", "Folder with rules (*.yaml) and their cases (*.cases.yaml)"),
};
const options = [createJsonOption()] as const;

export type RulesTestOptions = OptionsOf<typeof options, typeof args>;

export const rulesCommand = defineCommand({
  name: "rules",
  group: "Common commands",
  description: "Test lint rules of your own",
  subcommands: [
    defineCommand({
      name: "test",
      description: "Run the test cases of lint rules, each with a document and its expected findings",
      arguments: args,
      options,
      example: "workspacectl rules test rules",
      run: async () => (await import("./run.js")).runRulesTest,
    }),
  ],
});
