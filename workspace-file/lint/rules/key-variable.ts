/** Lint rule: an action uses an SSH key from a variable that is not visible to it, or that is not an SSH key. */
import { formatHint } from "../../../resources/definition/problems.js";
import type { Entry } from "../../load/entries.js";
import type { Linted } from "../lint-document.js";
import type { Rule } from "../rule.js";

export const keyVariable: Rule = {
  code: "key-variable",
  severity: "warning",
  description:
    "An action uses an SSH key from a variable that is not visible to it, or that is not an SSH key.",
  remedy: "Declare the variable with `sshKey: true`, or with `external: true` if it is managed elsewhere.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      const name = linted.text(action, "envKey");
      if (name === undefined) continue;
      const visible = listVariablesVisibleTo(linted, action);
      const variable = visible.find(({ key }) => key === name);
      if (variable === undefined) {
        const near = formatHint(
          name,
          visible.map(({ key }) => key),
        );
        yield linted.atArg(
          action,
          "envKey",
          `no variable "${name}" is declared where this action sees it${near}`,
        );
      } else if (!variable.external && variable.written["sshKey"] !== true) {
        yield linted.atArg(
          action,
          "envKey",
          `the variable ${name} is not an SSH key: it has no sshKey: true`,
        );
      }
    }
  },
};

/** Returns the variables of the action, its pipeline, its project and the workspace, nearest first. */
function listVariablesVisibleTo(linted: Linted, action: Entry): Entry[] {
  const variables: Entry[] = [];
  for (let ancestor: Entry | undefined = action; ancestor !== undefined; ancestor = ancestor.parent)
    variables.push(...linted.under(ancestor, "Variable"));
  return [...variables, ...linted.under(undefined, "Variable")];
}
