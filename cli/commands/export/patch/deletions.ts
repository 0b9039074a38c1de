/** Entries whose object is certainly no longer there. What could not be read, or is left out of the export, is not gone. */
import type { Gap, Discovery, DiscoveredObject } from "../../../../provider/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import type { Scope } from "../scope.js";
import { sectionOf } from "./names.js";

/** @param missing entries of which the workspace shows nothing, with the name that the object would have */
export function deletionsFrom(
  missing: ReadonlyMap<ResourceDeclaration, string>,
  survey: Pick<Discovery, "sections" | "objects">,
  gaps: readonly Gap[],
  scope: Scope,
): ResourceDeclaration[] {
  const shown = new Set(
    survey.objects.filter(isNamed).map(({ definition, name }) => `${definition.type} ${name}`),
  );
  const hidden = gaps.filter(({ type, name, only }) => only === undefined && !shown.has(`${type} ${name}`));
  const named = new Set(gaps.map(({ type, only }) => `${type} ${only}`));
  const unsure = new Set(hidden.map(({ type, name }) => `${type} ${name === undefined ? "" : name}`));
  // A gap names the object, or the one in which such objects are.
  const sections = new Set(
    hidden.flatMap(({ type, name }) => (name === undefined ? [] : [`${type} ${sectionOf(name)}`])),
  );
  return [...missing]
    .filter(([{ definition }, name]) => {
      const { type } = definition;
      const section = sectionOf(name);
      const holder = section.split("/").slice(0, -1).join("/");
      if (named.has(`${type} ${name}`)) return false;
      if (!survey.sections.has(section) || !scope.includes({ definition, name })) return false;
      return !unsure.has(`${type} ${holder}`) && !sections.has(`${type} ${section}`);
    })
    .map(([declared]) => declared);
}

/** What is known by its name is no other object; of one without, nobody knows whether it is the one that is missing. */
function isNamed({ definition, args }: DiscoveredObject): boolean {
  return args[definition.document?.keyedBy ?? ""] !== undefined;
}
