/** Entries whose object is certainly no longer there. What could not be read, or is left out of the export, is not gone. */
import type { Gap, Survey } from "../../../provider/index.js";
import type { Declaration } from "../../../sdk/nodejs/load/index.js";
import type { Scope } from "../scope.js";
import { sectionOf } from "./names.js";

/** @param missing entries of which the workspace shows nothing, with the name that the object would have */
export function goneFrom(
  missing: ReadonlyMap<Declaration, string>,
  survey: Pick<Survey, "sections">,
  gaps: readonly Gap[],
  scope: Scope,
): Declaration[] {
  const unsure = new Set(gaps.map(({ type, name }) => `${type} ${name === undefined ? "" : name}`));
  // A gap names the object, or the one in which such objects are.
  const sections = new Set(
    gaps.flatMap(({ type, name }) => (name === undefined ? [] : [`${type} ${sectionOf(name)}`])),
  );
  return [...missing]
    .filter(([{ definition }, name]) => {
      const { type } = definition;
      const section = sectionOf(name);
      const holder = section.split("/").slice(0, -1).join("/");
      if (!survey.sections.has(section) || !scope.includes({ definition, name })) return false;
      return !unsure.has(`${type} ${holder}`) && !sections.has(`${type} ${section}`);
    })
    .map(([declared]) => declared);
}
