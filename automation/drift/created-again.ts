/** Finds objects that were deleted outside, and created again under their names: others, for the service. */
import { isWithin } from "../../resources/definition/logical-name.js";
import type { DriftFinding } from "./drift-report.js";

/** Lists their names, with those of what was deleted in them. */
export function listCreatedAgain(findings: readonly DriftFinding[]): string[] {
  const added = findings.filter((one) => one.class === "added").map(({ name }) => name);
  return findings
    .filter((one) => one.class === "deleted" && added.some((name) => isWithin(one.name, name)))
    .map(({ name }) => name);
}
