import type { Entry } from "../../load/entries.js";
import { calledActions } from "../actions.js";
import type { Rule } from "../rule.js";

export const shadowedVariable: Rule = {
  code: "shadowed-variable",
  severity: "info",
  description: "A variable is declared again further in, with the same value.",
  remedy: "Take the inner one out, or give it its own value.",
  *check(linted) {
    const places = new Map(linted.declared("Variable").map((each) => [placeOf(each.parent, each.key), each]));
    for (const variable of linted.of("Variable")) {
      const outer = outerOf(variable, places);
      const { value, encrypted, sshKey } = variable.written;
      if (outer === undefined || typeof value !== "string" || value !== outer.written["value"]) continue;
      if (encrypted === true || sshKey === true) continue;
      const where = outer.parent ? `the ${calledActions(outer.parent)}` : "the workspace";
      yield linted.atEntry(variable, `${variable.key} has the same value as in ${where}`);
    }
  },
};

/** Returns the variable of the same name that this one overrides. */
function outerOf({ parent, key }: Entry, places: ReadonlyMap<string, Entry>): Entry | undefined {
  for (let holder = parent; holder !== undefined; holder = holder.parent) {
    const found = places.get(placeOf(holder.parent, key));
    if (found) return found;
  }
  return undefined;
}

function placeOf(holder: Entry | undefined, key: string): string {
  return `${holder?.name ?? ""}\n${key}`;
}
