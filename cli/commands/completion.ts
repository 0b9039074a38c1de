import { readdirSync } from "node:fs";
import tab from "@bomb.sh/tab/commander";
import type { Complete, RootCommand } from "@bomb.sh/tab";
import type { Command } from "commander";
import { credentialsFile, readCredentials } from "../../provider/index.js";
import { exitCodes } from "../exit-codes.js";
import type { Io } from "../io.js";

export interface CompletionOptions {
  readonly shell: string;
  /** All commands but those of the completion itself. */
  readonly tree: Command;
}

/** Prints the script that makes a shell ask this command for what could come next. */
export function completion({ shell, tree }: CompletionOptions): Promise<number> {
  completer(tree).setup(tree.name(), tree.name(), shell);
  return Promise.resolve(exitCodes.ok);
}

export interface CompleteOptions {
  /** What has been typed so far, without the command's name; the last one may be empty. */
  readonly words: readonly string[];
  readonly tree: Command;
}

/** Answers a shell that asks what could come next. */
export function complete({ words, tree }: CompleteOptions, io: Io): Promise<number> {
  const root = completer(tree);
  for (const command of [root, ...root.commands.values()]) {
    const answer = (name: string, values: () => readonly string[]) => {
      const option = command.options.get(name);
      if (option) option.handler = (add: Complete) => values().forEach((value) => add(value, ""));
    };
    answer("connection", () => connections(io));
    answer("file", workspaceFiles);
  }
  root.parse([...words]);
  return Promise.resolve(exitCodes.ok);
}

/** The library reads names, options and choices from the tree. It adds commands of its own, which nobody gets to see. */
function completer(tree: Command): RootCommand {
  return tab(tree, { completionCommandName: "completion" });
}

function connections(io: Io): string[] {
  try {
    return Object.keys(readCredentials(credentialsFile(io.env)).connections);
  } catch {
    return []; // the command itself will say what is wrong with the file
  }
}

function workspaceFiles(): string[] {
  return readdirSync(".").filter((name) => /\.(ya?ml|json)$/.test(name));
}
