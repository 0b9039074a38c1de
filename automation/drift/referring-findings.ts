/** Finds what refers to deleted objects: an entry can only be removed together with all that names it. */
import type { ResourceDeclaration } from "../../workspace-file/load/load.js";
import { mapRefs, Ref } from "../../workspace-file/load/resolve-names.js";
import type { DriftFinding } from "./drift-report.js";

/**
 * Adds the findings about objects and values that name a deleted object among those that are accepted.
 * @param all of the report
 */
export function withReferring(
  selected: readonly DriftFinding[],
  all: readonly DriftFinding[],
  declared: readonly ResourceDeclaration[],
): readonly DriftFinding[] {
  const chosen = new Set(selected);
  const refers = (finding: DriftFinding, name: string) =>
    finding.class === "deleted" || finding.class === "changed"
      ? listReferring(name, declared).some(
          (one) =>
            one.name === finding.name &&
            [undefined, one.argument].includes(finding.pathParts[0] as undefined),
        )
      : false;
  // A set is also iterated over what is added meanwhile.
  for (const { class: of, name } of chosen)
    if (of === "deleted") for (const one of all) if (refers(one, name)) chosen.add(one);
  return [...chosen];
}

/** Lists the objects that name an object, and in which argument. */
export function listReferring(
  name: string,
  declared: readonly ResourceDeclaration[],
): { readonly name: string; readonly argument: string }[] {
  return declared.flatMap((one) =>
    Object.entries(one.args).flatMap(([argument, value]) =>
      one.name !== name && refersTo(value, name) ? [{ name: one.name, argument }] : [],
    ),
  );
}

function refersTo(value: unknown, name: string): boolean {
  let found = false;
  mapRefs(value, (ref) => {
    found ||= ref instanceof Ref && ref.name === name;
    return ref;
  });
  return found;
}
