/** Lint rule: two entries of a section have names that differ only in upper and lower case. */
import type { Entry } from "../../load/entries.js";
import type { Rule } from "../rule.js";

export const namesAlike: Rule = {
  code: "names-alike",
  severity: "warning",
  description: "Two entries of a section have names that differ only in upper and lower case.",
  remedy: "Rename one (with `previously:`, so that it stays the same object), or remove one.",
  *check(linted) {
    const first = new Map<string, Entry>();
    for (const entry of linted.entries) {
      const name = [entry.definition.type, entry.parent?.name ?? "", entry.key.toLowerCase()].join("\n");
      const other = first.get(name);
      if (other === undefined) first.set(name, entry);
      else
        yield linted.atEntry(
          entry,
          `"${entry.key}" differs from "${other.key}" only by upper and lower case`,
        );
    }
  },
};
