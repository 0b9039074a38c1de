/** Lint rule: two entries of a section have names that readers and the service may take for one. */
import { canonicalize } from "../../../resources/index.js";
import type { Entry } from "../../load/entries.js";
import type { Rule } from "../rule.js";

export const namesAlike: Rule = {
  code: "names-alike",
  severity: "warning",
  description:
    "Two entries of a section have names that differ only in upper and lower case, in the Unicode form of letters, or in blanks around them.",
  remedy: "Rename one (with `previously:`, so that it stays the same object), or remove one.",
  *check(linted) {
    const first = new Map<string, Entry>();
    for (const entry of linted.entries) {
      const name = [entry.definition.type, entry.parent?.name ?? "", fold(entry.key)].join("\n");
      const other = first.get(name);
      if (other === undefined) first.set(name, entry);
      else yield linted.atEntry(entry, describe(entry.key, other.key));
    }
  },
};

const fold = (key: string) => String(canonicalize("name", key)).toLowerCase();

function describe(key: string, other: string): string {
  if (key.toLowerCase() === other.toLowerCase())
    return `"${key}" differs from "${other}" only by upper and lower case`;
  const [one, two] = [key, other].map(listCodePoints);
  return `"${key}" reads like "${other}", which has other characters (${one}; ${two}): the service may take them for one name`;
}

/** The characters that a reader cannot tell from others: all but letters, digits and signs of ASCII. */
function listCodePoints(key: string): string {
  const found = [...key].filter((character) => !/[!-~]/.test(character));
  if (found.length === 0) return "only ASCII";
  return found.map((one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`).join(" ");
}
