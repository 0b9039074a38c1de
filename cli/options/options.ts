/** Pieces that the definitions of several commands share. */
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Io } from "../terminal/io.js";

/** A command: given its options, does the work and answers with the exit code. */
export type CommandWork<O> = (options: O, io: Io) => Promise<number>;

/** Turns a lazily loaded command into a commander action. */
export type Work = <O>(load: () => Promise<CommandWork<O>>) => (options: O) => Promise<void>;

/** Every command shows how it is used. */
export function example(command: Command, line: string): Command {
  return command.addHelpText("after", `\nExample:\n  ${line}`);
}

/** A parser of whole numbers that says what is allowed. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    const range = max === Number.MAX_SAFE_INTEGER ? `, at least ${min}` : ` from ${min} to ${max}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };
}

/** An option that may be given several times, of any word or of some. */
export function several<T extends string>(allowed?: readonly T[]) {
  return (text: string, before: readonly T[] = []): readonly T[] => {
    if (allowed && !allowed.includes(text as T)) {
      throw new InvalidArgumentError(`It must be one of ${allowed.join(", ")}.`);
    }
    return [...before, text as T];
  };
}

/** The words of a list such as `projects,pipelines`. */
export function commaSeparated(text: string): readonly string[] {
  return text.split(",").map((word) => word.trim());
}

/** How much of a workspace is read: which kinds, which projects, which names. */
export function scopeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--kinds <kinds>",
        "only these sections or types, such as projects,pipelines (default: all but branches)",
      ).argParser(commaSeparated),
    )
    .option("--project <pattern>", "of projects only those, such as 'web-*'")
    .option("--name <pattern>", "only objects of such names, and what is in them");
}

/** The flag by which plans show more of each object. */
export function withDetails(command: Command): Command {
  return formerly(
    command.option(
      "--details",
      "show the properties of new and deleted objects, and long values line by line",
    ),
    "--diff",
    "details",
  );
}

/**
 * Keeps a former name of an option working, out of the help.
 * @param flags the former name, as commander takes it
 * @param now the attribute of the option that it stands for
 */
export function formerly(
  command: Command,
  flags: string,
  now: string,
  parse: (text: string) => unknown = (text) => text,
): Command {
  const option = new Option(flags).hideHelp();
  command.addOption(option);
  return command.on(`option:${option.name()}`, (text: string | null) => {
    command.setOptionValue(now, text === null ? true : parse(text));
  });
}
