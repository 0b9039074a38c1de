/** Lint rule: the commands of an action are all empty or comments. */
import type { Rule } from "../rule.js";

const lists = ["executeCommands", "setupCommands", "commands"];

export const emptyCommand: Rule = {
  code: "empty-command",
  severity: "warning",
  description:
    "The commands of an action are all empty or comments. Next to other commands, they structure a script.",
  remedy: "Write a command, or remove the action.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      for (const arg of lists) {
        const commands = action.written[arg];
        if (!Array.isArray(commands) || commands.length === 0 || !commands.every(isEmpty)) continue;
        yield { at: { path: [...action.path, arg, 0] }, message: "these commands do nothing" };
      }
    }
  },
};

const isEmpty = (command: unknown) =>
  typeof command === "string" && command.split("\n").every((line) => /^\s*(#.*)?$/.test(line));
