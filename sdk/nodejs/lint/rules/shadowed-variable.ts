import type { Entry } from "../../load/entries.js";
import { called } from "../actions.js";
import type { Linted } from "../linted.js";
import type { Rule } from "../rule.js";

export const shadowedVariable: Rule = {
  code: "shadowed-variable",
  severity: "info",
  description: "A variable is declared again further in, with the same value.",
  remedy: "Take the inner one out, or give it its own value.",
  examples: {
    bad: `version: 1
variables:
  REGION: us-east
projects:
  web:
    variables:
      REGION: us-east
`,
    good: `version: 1
variables:
  REGION: us-east
projects:
  web:
    variables:
      REGION: us-west
`,
  },
  *check(linted) {
    for (const variable of linted.of("Variable")) {
      const outer = outerOf(linted, variable);
      const { value, encrypted, sshKey } = variable.written;
      if (outer === undefined || typeof value !== "string" || value !== outer.written["value"]) continue;
      if (encrypted === true || sshKey === true) continue;
      const where = outer.parent ? `the ${called(outer.parent)}` : "the workspace";
      yield linted.atEntry(variable, `${variable.key} has the same value as in ${where}`);
    }
  },
};

/** The variable of the same name that would count if this one were not there. */
function outerOf(linted: Linted, { parent, key }: Entry): Entry | undefined {
  for (let holder = parent; holder !== undefined; holder = holder.parent) {
    const found = linted.under(holder.parent, "Variable").find((other) => other.key === key);
    if (found) return found;
  }
  return undefined;
}
