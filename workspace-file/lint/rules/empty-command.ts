/** Lint rule: a command is empty or contains only a comment. */
import type { Rule } from "../rule.js";

const lists = ["executeCommands", "setupCommands", "commands"];

export const emptyCommand: Rule = {
  code: "empty-command",
  severity: "warning",
  description: "A command is empty or contains only a comment.",
  remedy: "Remove the item, or write the command.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      for (const arg of lists) {
        const commands = action.written[arg];
        if (!Array.isArray(commands)) continue;
        for (const [index, command] of (commands as unknown[]).entries()) {
          if (typeof command !== "string" || !/^(\s*(#[^\n]*)?(\n|$))*$/.test(command)) continue;
          yield { at: { path: [...action.path, arg, index] }, message: "this command does nothing" };
        }
      }
    }
  },
};
