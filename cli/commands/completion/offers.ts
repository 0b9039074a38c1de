/** Finds completions of a command line in the tree of commands. */
import type { Command, Option } from "commander";

export interface Completion {
  readonly value: string;
  readonly description: string;
}

/** Values of options that are not in the tree, by the option's name. */
export type KnownValues = Readonly<Record<string, () => readonly string[]>>;

/**
 * Completes a command line.
 * @param words all words after the command's name up to the cursor; the last one, which may be empty, is completed
 * @returns nothing when any text is allowed: then the shell offers files
 */
export function listCompletions(tree: Command, words: readonly string[], known: KnownValues): Completion[] {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  const position = walk(tree, before);
  return listCandidates(position, current, known).filter(({ value }) => value.startsWith(current));
}

interface CursorPosition {
  readonly command: Command;
  /** An option without its value yet. */
  readonly option: Option | undefined;
  /** Number of arguments so far. */
  readonly given: number;
}

/** Finds the position after the words. */
function walk(tree: Command, words: readonly string[]): CursorPosition {
  let [command, option, given]: [Command, Option | undefined, number] = [tree, undefined, 0];
  for (const word of words) {
    if (option) option = undefined;
    else if (word.startsWith("-")) option = findWaitingOption(command, word);
    else {
      const next = given === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) command = next;
      else given += 1;
    }
  }
  return { command, option, given };
}

function findWaitingOption(command: Command, word: string): Option | undefined {
  const found = listAllOptions(command).find(({ long, short }) => word === long || word === short);
  return found && (found.required || found.optional) ? found : undefined;
}

function listCandidates(
  { command, option, given }: CursorPosition,
  current: string,
  known: KnownValues,
): Completion[] {
  if (option) return toCompletions(option.argChoices ?? known[option.attributeName()]?.() ?? []);
  if (current.startsWith("-")) {
    return listAllOptions(command).flatMap(({ long, description }) =>
      long == null ? [] : [{ value: long, description }],
    );
  }
  const inner = command.createHelp().visibleCommands(command);
  if (given === 0 && inner.length > 0) {
    return inner.map((each) => ({ value: each.name(), description: each.description() }));
  }
  return toCompletions(command.registeredArguments[given]?.argChoices ?? []);
}

/** Lists the options of the command, then the global ones. */
function listAllOptions(command: Command): Option[] {
  const help = command.createHelp();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function toCompletions(values: readonly string[]): Completion[] {
  return values.map((value) => ({ value, description: "" }));
}
