/** Declares `workspacectl validate` and `lint`. */
import { Option } from "@commander-js/extra-typings";
import { checkOptions, createRulesOption } from "../../options/formats.js";
import { createPolicyOption } from "../../options/guards.js";
import { type OptionsOf, parseRepeatable, parseWholeNumber } from "../../options/option-values.js";
import { defineCommand } from "../define-command.js";

const validateOptions = [...checkOptions(), createPolicyOption()] as const;

export type ValidateOptions = OptionsOf<typeof validateOptions>;

export const validateCommand = defineCommand({
  name: "validate",
  group: "Common commands",
  description: "Check a workspace file for errors, without contacting the service",
  options: validateOptions,
  example: "workspacectl validate -f workspace.yaml --format github",
  run: async () => (await import("./validate.js")).validate,
});

const lintOptions = [
  ...checkOptions(),
  createRulesOption(),
  createPolicyOption(),
  new Option("-E, --error <code>", "Report this rule as an error; repeatable").argParser(parseRepeatable()),
  new Option("-W, --warning <code>", "Report this rule as a warning; repeatable").argParser(
    parseRepeatable(),
  ),
  new Option("--off <code>", "Turn this rule off; repeatable").argParser(parseRepeatable()),
  new Option("--max-warnings <n>", "Fail when there are more warnings than this").argParser(
    parseWholeNumber(0),
  ),
  new Option("--list-rules", "List the rules"),
] as const;

export type LintOptions = OptionsOf<typeof lintOptions>;

export const lintCommand = defineCommand({
  name: "lint",
  group: "Common commands",
  description: "Find likely mistakes in a valid workspace file, such as a secret in plaintext",
  options: lintOptions,
  example: "workspacectl lint -f workspace.yaml -E no-administrator --off latest-image",
  run: async () => (await import("./run-lint.js")).lint,
});
