/** Runs the checks of all assumptions, one after the other. */
import { isCheckable } from "../../../assumptions/assumption.js";
import { type AssumptionId, assumptions } from "../../../assumptions/list-of-assumptions.js";
import { type Check, type CheckResult, readChecks, reportUndecided } from "./checks/reads.js";
import { type ScratchWorld, type WriteCheck, writeChecks } from "./checks/writes.js";
import { Unanswered } from "./send-requests.js";
import type { WorkspaceReader } from "./workspace-reader.js";

export type CheckResults = ReadonlyMap<AssumptionId, CheckResult>;

/** @param scratch the project for the checks that write, if there is one */
export async function measure(
  reader: WorkspaceReader,
  scratch: ScratchWorld | undefined,
): Promise<CheckResults> {
  const findings = new Map<AssumptionId, CheckResult>();
  for (const { id, check } of assumptions) {
    if (!isCheckable(check)) {
      findings.set(id, reportUndecided(check.impossible));
      continue;
    }
    const read = (readChecks as Partial<Record<AssumptionId, Check>>)[id];
    const write = (writeChecks as Partial<Record<AssumptionId, WriteCheck>>)[id];
    const none = reportUndecided("it takes a change of an object (--write --project NAME)");
    let finding = read === undefined ? none : await tryCheck(() => read(reader));
    if (scratch !== undefined && write !== undefined) {
      const written = await tryCheck(() => write(scratch));
      // A change tells more than a read.
      if (written.verdict !== "undecided" || read === undefined) finding = written;
    }
    // The workspace may have no such object, and the scratch project has one.
    if (scratch !== undefined && read !== undefined && finding.verdict === "undecided") {
      const again = await tryCheck(async () => {
        await scratch.pipeline();
        return read(scratch.reader);
      });
      if (again.verdict !== "undecided") finding = again;
    }
    findings.set(id, finding);
  }
  return findings;
}

async function tryCheck(work: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unanswered) return reportUndecided(error.message);
    throw error;
  }
}
