import type { Entry } from "../../load/entries.js";
import type { Rule } from "../rule.js";

export const namesAlike: Rule = {
  code: "names-alike",
  severity: "warning",
  description: "Two entries beside each other have names that differ only by upper and lower case.",
  remedy: "Rename one (with `previously:`, so that it stays the same object), or take one out.",
  *check(linted) {
    const first = new Map<string, Entry>();
    for (const entry of linted.entries) {
      const place = [entry.definition.type, entry.parent?.name ?? "", entry.key.toLowerCase()].join("\n");
      const other = first.get(place);
      if (other === undefined) first.set(place, entry);
      else
        yield linted.atEntry(
          entry,
          `"${entry.key}" differs from "${other.key}" only by upper and lower case`,
        );
    }
  },
};
