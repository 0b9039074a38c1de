import { Option } from "commander";
import { checkOptions, rulesOption } from "../../options/diagnostics.js";
import { repeatable, wholeNumber } from "../../options/parsers.js";
import { policyOption } from "../../options/guards.js";
import { defineCommand } from "../command.js";

export const lintCommand = defineCommand({
  name: "lint",
  group: "Common commands",
  description: "Find likely mistakes in a valid workspace file, such as a secret in plaintext",
  options: [
    ...checkOptions(),
    rulesOption(),
    policyOption(),
    new Option("-E, --error <code>", "Report this rule as an error; repeatable").argParser(repeatable()),
    new Option("-W, --warning <code>", "Report this rule as a warning; repeatable").argParser(repeatable()),
    new Option("--off <code>", "Turn this rule off; repeatable").argParser(repeatable()),
    new Option("--max-warnings <n>", "Fail when there are more warnings than this").argParser(wholeNumber(0)),
    new Option("--list-rules", "List the rules"),
  ],
  example: "workspacectl lint -f workspace.yaml -E no-administrator --off latest-image",
  run: async () => (await import("./run.js")).lint,
});
