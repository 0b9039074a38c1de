/** Lint rule: a variable is declared again in an inner scope, with the same value. */
import type { Entry } from "../../load/entries.js";
import { getCalledActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const shadowedVariable: Rule = {
  code: "shadowed-variable",
  severity: "info",
  description: "A variable is declared again in an inner scope, with the same value.",
  remedy: "Remove the inner one, or give it another value.",
  *check(linted) {
    const variables = new Map(
      linted.declared("Variable").map((each) => [buildVariableId(each.parent, each.key), each]),
    );
    for (const variable of linted.of("Variable")) {
      const outer = findOuter(variable, variables);
      const { value, encrypted, sshKey } = variable.written;
      if (outer === undefined || typeof value !== "string" || value !== outer.written["value"]) continue;
      if (encrypted === true || sshKey === true) continue;
      const where = outer.parent ? `the ${getCalledActions(outer.parent)}` : "the workspace";
      yield linted.atEntry(variable, `${variable.key} has the same value as in ${where}`);
    }
  },
};

/** Returns the variable of the same name that this one overrides. */
function findOuter({ parent, key }: Entry, variables: ReadonlyMap<string, Entry>): Entry | undefined {
  for (let scope = parent; scope !== undefined; scope = scope.parent) {
    const found = variables.get(buildVariableId(scope.parent, key));
    if (found) return found;
  }
  return undefined;
}

function buildVariableId(scope: Entry | undefined, key: string): string {
  return `${scope?.name ?? ""}\n${key}`;
}
