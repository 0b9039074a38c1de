/** Options of the commands that make a report of what they found. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { formats, type Format, type Wish } from "../reporters/format-names.js";

export function reportOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--format <form[=file]>",
        `${formats.join(", ")}; repeatable, each with a file but one`,
      ).argParser(formatWish),
    )
    .option("--json", "the same as --format json")
    .option("-o, --output <file>", "write to this file instead of standard output")
    .option(
      "--state-file <file>",
      "remember what was found, and tell whether it is the same as the last time",
    )
    .option("--webhook <url>", "post what was found as JSON, when it is not the same as the last time")
    .option("--webhook-always", "post it also when nothing is new");
}

/** A parser of `changed,deleted`, or `none`. */
export function oneOrMore<T extends string>(words: readonly T[]) {
  return (text: string): readonly T[] => {
    if (text === "none") return [];
    const names = text.split(",").map((name) => name.trim());
    const unknown = names.find((name) => !words.includes(name as T));
    if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${words.join(", ")}.`);
    return names as T[];
  };
}

function formatWish(text: string, before: readonly Wish[] = []): readonly Wish[] {
  const [format = "", ...rest] = text.split("=");
  const file = rest.join("=");
  if (!formats.includes(format as Format))
    throw new InvalidArgumentError(`It must be one of ${formats.join(", ")}.`);
  if (rest.length > 0 && file === "") throw new InvalidArgumentError("A file has to follow the =.");
  return [...before, { format: format as Format, ...(file === "" ? {} : { file }) }];
}
