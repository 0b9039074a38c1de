/** Options for the guards and policies of a plan, and for the requests it may use. */
import { Option } from "commander";
import { guardCodes } from "../policies/guards/codes.js";
import { repeatable, wholeNumber } from "./parsers.js";

/** Default percentage of the limit that a run leaves for others. */
export const DEFAULT_RESERVE = 20;

const percent = wholeNumber(0, 100);

export const policyOption = () =>
  new Option(
    "--policy <file>",
    "Also apply the guards and rules in this file, which nothing overrides; repeatable",
  ).argParser(repeatable());

/** Options for the guards on deletions. */
export const deletionOptions = () =>
  inGroup([
    new Option("--max-deletes <n>", "Allow at most this many deletions (default: 10)").argParser(
      wholeNumber(0),
    ),
    new Option(
      "--max-delete-share <percent>",
      "Allow at most this share of the objects to be deleted (default: 20)",
    ).argParser(percent),
    new Option(
      "--allow-delete <pattern>",
      "Allow the deletion of matching objects, such as groups/*; repeatable",
    ).argParser(repeatable()),
    new Option("--delete-project <name>", "Allow the deletion of this project; repeatable").argParser(
      repeatable(),
    ),
    new Option("--ignore-guard <code>", "Continue although this guard refuses; repeatable").argParser(
      repeatable(guardCodes),
    ),
    policyOption(),
  ]);

/** Options for all guards, and for the request budget. */
export const guardOptions = () => [
  ...deletionOptions(),
  ...inGroup([
    new Option(
      "--reserve <percent>",
      `Reserve this share of the hourly request limit for others (default: ${DEFAULT_RESERVE})`,
    ).argParser(percent),
  ]),
];

function inGroup(options: readonly Option[]): readonly Option[] {
  return options.map((option) => option.helpGroup("Guards and requests:"));
}
