/** Pulumi refuses to plan the deletion of a protected object: what somebody has named loses its protection in the state. */
import { logicalNameOf, resourceTypeOf } from "../urn.js";
import type { PlanProblem } from "../plan/steps.js";
import { PROTECTED } from "./operations.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

/** An object that Pulumi refused to delete. */
export interface ProtectedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
}

/** The objects that a preview refused to delete. */
export function protectedIn(problems: readonly PlanProblem[]): ProtectedObject[] {
  return problems
    .map(({ message }) => PROTECTED.exec(message)?.[1])
    .filter((urn) => urn !== undefined)
    .map((urn) => ({ urn, type: resourceTypeOf(urn.split("::")[2] ?? ""), name: logicalNameOf(urn) }));
}

/** Changes only what the state says of the objects; the next `up` that declares them protects them again. */
export async function setProtection(
  cli: PulumiCli,
  stack: string,
  urns: readonly string[],
  on: boolean,
): Promise<void> {
  if (urns.length === 0) return;
  await runPulumi(cli, ["state", on ? "protect" : "unprotect", ...urns, "--yes", "--stack", stack]);
}
