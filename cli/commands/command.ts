/** The declaration of a command. It is loaded at every start, so it imports nothing but its options. */
import type { Argument, Command, Option } from "commander";
import { FormerOption } from "../options/common.js";
import type { Io } from "../terminal/io.js";

/** Headings of the help. Commands appear below them in the order of registry.ts. */
export type HelpGroup =
  "Getting started" | "Common commands" | "Existing and multiple workspaces" | "Service" | "Stacks and tools";

/** The command line itself, for commands that describe it (`completion`) or run other commands (`demo`). */
export interface CommandLine {
  readonly tree: Command;
  readonly main: (argv: readonly string[], io: Io) => Promise<number>;
}

/** Does the work of a command, and returns the exit code. */
export type CommandWork<O> = (options: O, io: Io, commandLine: CommandLine) => Promise<number> | number;

/** Turns lazily loaded work into an action that takes the parsed options. */
export type Execute = <O>(load: () => Promise<CommandWork<O>>) => (options: O) => Promise<void>;

interface Declaration<O extends object> {
  readonly name: string;
  readonly alias?: string;
  /** Only top-level commands have one. */
  readonly group?: HelpGroup;
  readonly hidden?: boolean;
  readonly description: string;
  readonly example?: string;
  /** Positional arguments, by the option that receives the value. */
  readonly arguments?: { readonly [Name in keyof O]?: Argument };
  readonly options?: readonly Option[];
  /** Sets what commander offers beyond arguments and options. */
  readonly configure?: (command: Command) => void;
  /** Loads the work. A command without it only groups its subcommands. */
  readonly run?: () => Promise<CommandWork<O>>;
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

export function defineCommand<O extends object>(declaration: Declaration<O>): CommandDefinition {
  return {
    addTo(parent, execute) {
      const { name, alias, group, description, example, run, subcommands = [] } = declaration;
      const command = parent.command(name, { hidden: declaration.hidden ?? false }).description(description);
      if (alias !== undefined) command.alias(alias);
      if (group !== undefined) command.helpGroup(`${group}:`);
      if (example !== undefined) command.addHelpText("after", `\nExample:\n  ${example}`);
      for (const option of declaration.options ?? []) addOption(command, option);
      if (subcommands.length > 0) command.allowExcessArguments();
      const names = addArguments(command, declaration.arguments ?? {});
      if (run === undefined) command.helpCommand("help [command]", "Print help for a command");
      else
        command.action(() => {
          if (subcommands.length > 0 && command.args.length > names.length)
            (command as unknown as Suggesting).unknownCommand();
          // Options of the parent count too: `drift --stack us accept`.
          const options = command.optsWithGlobals<O>();
          const given = names.flatMap((key, index) => {
            const value: unknown = command.processedArgs[index];
            return value === undefined ? [] : [[key, value] as const];
          });
          return execute(run)({ ...options, ...Object.fromEntries(given) });
        });
      for (const subcommand of subcommands) subcommand.addTo(command, execute);
      declaration.configure?.(command);
    },
  };
}

/** @returns the names of the options that receive the arguments */
function addArguments(command: Command, args: Readonly<Record<string, Argument | undefined>>): string[] {
  return Object.entries(args).flatMap(([name, argument]) => {
    if (argument === undefined) return [];
    command.addArgument(argument);
    return [name];
  });
}

function addOption(command: Command, option: Option): void {
  command.addOption(option);
  if (!(option instanceof FormerOption)) return;
  command.on(`option:${option.name()}`, (text: string | null) => {
    command.setOptionValue(option.current, text === null ? true : option.parse(text));
  });
}
