/** The declaration of a command. It is loaded at every start, so it imports nothing but its options. */
import type { Argument, Command, Option } from "commander";
import type { Io } from "../../reports/io.js";
import type { AnyArguments, AnyOption, OptionsOf } from "../options/option-values.js";
import { FormerOption } from "../options/shared-options.js";

/** Headings of the help. Commands appear below them in the order of list-of-commands.ts. */
export type HelpGroup =
  "Getting started" | "Common commands" | "Existing and multiple workspaces" | "Service" | "Stacks and tools";

/** The command line itself, for commands that describe it (`completion`) or run other commands (`demo`). */
export interface CommandLine {
  readonly tree: Command;
  readonly main: (argv: readonly string[], io: Io) => Promise<number>;
}

/** Does the work of a command, and returns the exit code. */
type CommandWork<O> = (options: O, io: Io, commandLine: CommandLine) => Promise<number> | number;

/** Turns lazily loaded work into an action that takes the parsed options. */
export type Execute = <O>(load: () => Promise<CommandWork<O>>) => (options: O) => Promise<void>;

interface Declaration<
  O extends readonly AnyOption[],
  A extends AnyArguments,
  Inherited extends readonly AnyOption[],
> {
  readonly name: string;
  readonly alias?: string;
  /** Only top-level commands have one. */
  readonly group?: HelpGroup;
  readonly hidden?: boolean;
  readonly description: string;
  readonly example?: string;
  /** Positional arguments, by the option that receives the value. */
  readonly arguments?: A;
  readonly options?: O;
  /** Options of the parent, whose values the command receives too: `drift --stack us accept`. */
  readonly inherited?: Inherited;
  /** Sets what commander offers beyond arguments and options. */
  readonly configure?: (command: Command) => void;
  /** Loads the work. A command without it only groups its subcommands. */
  readonly run?: () => Promise<CommandWork<OptionsOf<readonly [...Inherited, ...O], A>>>;
  readonly subcommands?: readonly CommandDefinition[];
}

/** What commander calls for a command without an action. It suggests a similar name. */
interface Suggesting {
  unknownCommand(): never;
}

/** A declared command, ready to be added to the tree. */
export interface CommandDefinition {
  addTo(parent: Command, execute: Execute): void;
}

export function defineCommand<
  const O extends readonly AnyOption[] = readonly [],
  const A extends AnyArguments = Record<never, never>,
  const Inherited extends readonly AnyOption[] = readonly [],
>(declaration: Declaration<O, A, Inherited>): CommandDefinition {
  return {
    addTo(parent, execute) {
      const { name, alias, group, description, example, run, subcommands = [] } = declaration;
      const command = parent.command(name, { hidden: declaration.hidden ?? false }).description(description);
      if (alias !== undefined) command.alias(alias);
      if (group !== undefined) command.helpGroup(`${group}:`);
      if (example !== undefined) command.addHelpText("after", `\nExample:\n  ${example}`);
      for (const option of declaration.options ?? []) addOption(command, option as Option);
      if (subcommands.length > 0) command.allowExcessArguments();
      const names = addArguments(
        command,
        (declaration.arguments ?? {}) as Readonly<Record<string, Argument>>,
      );
      if (run === undefined) command.helpCommand("help [command]", "Print help for a command");
      else
        command.action(() => {
          if (subcommands.length > 0 && command.args.length > names.length)
            (command as unknown as Suggesting).unknownCommand();
          const given = names.flatMap((key, index) => {
            const value: unknown = command.processedArgs[index];
            return value === undefined ? [] : [[key, value] as const];
          });
          const options = { ...command.optsWithGlobals(), ...Object.fromEntries(given) };
          return execute(run)(options as OptionsOf<readonly [...Inherited, ...O], A>);
        });
      for (const subcommand of subcommands) subcommand.addTo(command, execute);
      declaration.configure?.(command);
    },
  };
}

/** @returns the names of the options that receive the arguments */
function addArguments(command: Command, args: Readonly<Record<string, Argument>>): string[] {
  for (const argument of Object.values(args)) command.addArgument(argument);
  return Object.keys(args);
}

function addOption(command: Command, option: Option): void {
  command.addOption(option);
  if (!(option instanceof FormerOption)) return;
  command.on(`option:${option.name()}`, (text: string | null) => {
    command.setOptionValue(option.current, text === null ? true : option.parse(text));
  });
}
