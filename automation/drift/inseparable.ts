/**
 * Findings that are right only together: a value, and what says whether the service hides it. Half of them would send a secret in a form that
 * everybody can read, or would encrypt a value that nobody has seen.
 */
import { isSameJson } from "../../diff/values.js";
import type { Definition, Fields } from "../../provider/index.js";
import type { ResourceDeclaration } from "../../workspace-file/load/load.js";
import type { Accepted } from "./accept-edits.js";
import type { DriftFinding } from "./drift-report.js";

/**
 * Returns the accepted findings whose counterpart is not accepted.
 * @param findings all that were found
 */
export function listWithoutCounterpart(
  accepted: readonly DriftFinding[],
  findings: readonly DriftFinding[],
  declared: readonly ResourceDeclaration[],
): Accepted["left"] {
  return declared.flatMap(({ name, definition, args }) => {
    const changed = findings.filter(
      (one) => one.name === name && one.type === definition.type && one.class === "changed",
    );
    const together = listTogether(definition, args, changed);
    const missing = together.filter((one) => !accepted.includes(one));
    if (missing.length === 0) return [];
    const others = missing.map(({ path }) => path).join(" and ");
    const why = `it is accepted only together with ${others}, which was not accepted. Alone, it would change who can read the value that the file names`;
    return accepted
      .filter((one) => together.includes(one))
      .map((finding) => ({ finding, why: `${finding.path}: ${why}` }));
  });
}

/** The values that are hidden on one side only, and the arguments that make the difference. */
function listTogether(
  definition: Definition,
  args: Fields,
  changed: readonly DriftFinding[],
): DriftFinding[] {
  const argOf = ({ pathParts: [arg] }: DriftFinding) => String(arg);
  const withLive = (some: readonly DriftFinding[]) =>
    definition.masked({ ...args, ...Object.fromEntries(some.map((one) => [argOf(one), one.live])) });
  const [here, there] = [definition.masked(args), withLive(changed)];
  if (isSameJson(here, there)) return [];
  const only = [...here, ...there].filter((arg) => !here.includes(arg) || !there.includes(arg));
  return changed.filter(
    (one) =>
      only.includes(argOf(one)) ||
      !isSameJson(withLive([one]), here) ||
      !isSameJson(withLive(changed.filter((other) => other !== one)), there),
  );
}
