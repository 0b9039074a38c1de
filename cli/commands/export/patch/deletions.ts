/** Finds entries whose object was deleted. Unread and excluded objects do not count as deleted. */
import type { Gap, Discovery, DiscoveredObject } from "../../../../provider/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import type { Scope } from "../scope.js";
import { sectionOf } from "./names.js";

/** @param missing entries without an object, with the name that the object would have */
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
  // A gap names an object, or the parent of a list.
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

/** Whether the key is known: an object without one may be the missing object. */
function isNamed({ definition, args }: DiscoveredObject): boolean {
  return args[definition.document?.keyedBy ?? ""] !== undefined;
}
