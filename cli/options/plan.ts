/** Options of the commands that show or carry out a plan: what guards let through, and how many requests may be used. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { DEFAULT_RESERVE } from "../policies/request-budget/budget.js";
import { guardCodes } from "../policies/guards/codes.js";
import { several, wholeNumber } from "./options.js";

const percent = wholeNumber(0, 100);

export function guardOptions(command: Command): Command {
  return deletionOptions(command).addOption(
    new Option(
      "--reserve <percent>",
      `share of the hour's requests that is left for others (default: ${DEFAULT_RESERVE})`,
    )
      .argParser(percent)
      .helpGroup(GROUP),
  );
}

const GROUP = "Guards and requests:";

/** What guards let through. */
export function deletionOptions(command: Command): Command {
  const before = command.options.length;
  command
    .option("--max-deletes <n>", "let at most so many objects be deleted (default: 10)", wholeNumber(0))
    .option("--max-delete-share <percent>", "let at most this share be deleted (default: 20)", percent)
    .addOption(
      new Option(
        "--allow-delete <pattern>",
        "objects that may be deleted, such as groups/*; repeatable",
      ).argParser(several()),
    )
    .addOption(
      new Option("--delete-project <name>", "a project that may be deleted; repeatable").argParser(several()),
    )
    .addOption(
      new Option("--ignore-guard <code>", "go on although this guard refuses; repeatable").argParser(
        several(guardCodes),
      ),
    );
  for (const option of command.options.slice(before)) option.helpGroup(GROUP);
  return command;
}

/** A duration such as 30m, 12h or 7d, in milliseconds. */
export function duration(text: string): number {
  const [, number, unit = ""] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError("It must be a number with s, m, h or d, such as 12h.");
  return Number(number) * (MILLISECONDS[unit] ?? 0);
}

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
