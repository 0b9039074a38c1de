/** Lint rule: an action fails in every run, so no later action can run. */
import type { Entry } from "../../load/entries.js";
import { canFail, isUnconditional, listRunningActions } from "../actions.js";
import type { Rule } from "../rule.js";

/** Command that never succeeds. */
const failing = /^\s*(exit\s+(?!0+\s*$)\d+|false|\/bin\/false)\s*;?\s*$/;

export const alwaysFails: Rule = {
  code: "always-fails",
  severity: "warning",
  description: "An action fails in every run, so no later action can run.",
  remedy: "Remove the command, which is often left from a test, or set `ignoreErrors` if the action has it.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      const actions = listRunningActions(linted, pipeline).filter(isUnconditional);
      for (const [index, action] of actions.entries()) {
        const found = canFail(action) ? findFailingCommand(action) : undefined;
        if (found === undefined) continue;
        const after = actions.slice(index + 1).map(({ key }) => `"${key}"`);
        const then = after.length === 0 ? "" : `, and ${after.join(", ")} can never run`;
        const path = [...action.path, ...found];
        yield { at: { path }, message: `this command always fails: so does every run${then}` };
      }
    }
  },
};

function findFailingCommand({ written }: Entry): readonly [string, number] | undefined {
  for (const arg of ["executeCommands", "commands"]) {
    const commands = written[arg];
    if (!Array.isArray(commands)) continue;
    const index = commands.findIndex((command) => typeof command === "string" && failing.test(command));
    if (index >= 0) return [arg, index];
  }
  return undefined;
}
