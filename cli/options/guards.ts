/** Options for the guards and policies of a plan, and for the requests it may use. */
import { Option } from "@commander-js/extra-typings";
import { DEFAULT_RESERVE, guardCodes } from "../../automation/policy/guards/types.js";
import { type AnyOption, parseRepeatable, parseWholeNumber } from "./option-values.js";

const percent = parseWholeNumber(0, 100);

export const createPolicyOption = () =>
  new Option(
    "--policy <file>",
    "Also apply the guards and rules in this file, which nothing overrides; repeatable",
  ).argParser(parseRepeatable());

/** Options for the guards on deletions. */
export const createDeletionOptions = () =>
  groupOptions([
    new Option("--max-deletes <n>", "Allow at most this many deletions (default: 10)").argParser(
      parseWholeNumber(0),
    ),
    new Option(
      "--max-delete-share <percent>",
      "Allow at most this share of the objects to be deleted (default: 20)",
    ).argParser(percent),
    new Option(
      "--allow-delete <pattern>",
      "Allow the deletion of matching objects, such as groups/*; repeatable",
    ).argParser(parseRepeatable()),
    new Option("--delete-project <name>", "Allow the deletion of this project; repeatable").argParser(
      parseRepeatable(),
    ),
    new Option("--ignore-guard <code>", "Continue although this guard refuses; repeatable").argParser(
      parseRepeatable(guardCodes),
    ),
    createPolicyOption(),
  ]);

/** Options for all guards, and for the request budget. */
export const createGuardOptions = () =>
  [
    ...createDeletionOptions(),
    ...groupOptions([
      new Option(
        "--reserve <percent>",
        `Reserve this share of the hourly request limit for others (default: ${DEFAULT_RESERVE})`,
      ).argParser(percent),
    ]),
  ] as const;

function groupOptions<const O extends readonly AnyOption[]>(options: O): O {
  for (const option of options) option.helpGroup("Guards and requests:");
  return options;
}
