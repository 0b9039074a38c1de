/** Lifts the protection of objects that the user names for deletion, because Pulumi refuses to plan the deletion of protected ones. */
import { parseLogicalName, parseResourceType } from "../urn.js";
import type { PlanProblem } from "../plan/record-plan.js";
import { PROTECTED } from "./run-operations.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

/** An object that Pulumi refused to delete. */
export interface ProtectedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
}

/** The objects that a preview refused to delete. */
export function listProtectedIn(problems: readonly PlanProblem[]): ProtectedObject[] {
  return problems
    .map(({ message }) => PROTECTED.exec(message)?.[1])
    .filter((urn) => urn !== undefined)
    .map((urn) => ({ urn, type: parseResourceType(urn.split("::")[2] ?? ""), name: parseLogicalName(urn) }));
}

/** Changes only the state. The next `up` that declares the objects protects them again. */
export async function setProtection(
  cli: PulumiCli,
  stack: string,
  urns: readonly string[],
  on: boolean,
): Promise<void> {
  if (urns.length === 0) return;
  await runPulumi(cli, ["state", on ? "protect" : "unprotect", ...urns, "--yes", "--stack", stack]);
}
