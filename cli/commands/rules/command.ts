/** Declares `workspacectl rules`. */
import { Argument } from "commander";
import { createJsonOption } from "../../options/common.js";
import { defineCommand } from "../command.js";

export const rulesCommand = defineCommand({
  name: "rules",
  group: "Common commands",
  description: "Test lint rules of your own",
  subcommands: [
    defineCommand({
      name: "test",
      description: "Run the test cases of lint rules, each with a document and its expected findings",
      arguments: {
        folder: new Argument("<folder>", "Folder with rules (*.yaml) and their cases (*.cases.yaml)"),
      },
      options: [createJsonOption()],
      example: "workspacectl rules test rules",
      run: async () => (await import("./run.js")).runRulesTest,
    }),
  ],
});
