/** Logical names in the spelling that does not depend on how their keys are written. */
import { getSpelling } from "./definition/argument-spelling.js";
import { buildNameIn, LogicalName } from "./definition/logical-name.js";
import { listKindsUnder, WORKSPACE } from "./definition/placement.js";
import { canonicalize } from "./definition/spelling.js";
import { definitions } from "./registry.js";

/** The name that is the same for all spellings of the keys in it: `members/Bob@example.com` and `members/bob@example.com` are one. */
export function canonicalizeName(name: string): string {
  const { steps } = new LogicalName(name);
  if (name.split("/").length !== 2 * steps.length) return name;
  let above: { readonly name: string | undefined; readonly type: string } = {
    name: undefined,
    type: WORKSPACE,
  };
  for (const { section, key } of steps) {
    const kind = listKindsUnder(definitions, above.type).find(({ document }) => document.section === section);
    if (kind === undefined) return name;
    const spelled = canonicalize(getSpelling(kind, kind.document.keyedBy), key);
    above = { name: buildNameIn(above.name, section, spelled), type: kind.type };
  }
  return above.name ?? name;
}

/** Finds names of which only the spelling differs. */
export class SpelledNames {
  private readonly byForm = new Map<string, string[]>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      const form = canonicalizeName(name);
      this.byForm.set(form, [...(this.byForm.get(form) ?? []), name]);
    }
  }

  /** The names that are spelled differently, of the same object. */
  others(name: string): readonly string[] {
    return (this.byForm.get(canonicalizeName(name)) ?? []).filter((other) => other !== name);
  }
}
