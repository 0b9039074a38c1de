/** Runs `workspacectl drift revert`. */
import type { DriftRevertOptions } from "./command.js";
import { readDeclarations, type ResourceDeclaration } from "../../../workspace-file/load/index.js";
import { suggestOr } from "../../../provider/definition/problems.js";
import { detectDrift } from "./detect.js";
import { readReport, requireSelection, selectFindings } from "./select-findings.js";
import { CliError, exitCodes } from "../../errors.js";
import { note, type Io } from "../../terminal/io.js";
import { requireYes } from "../../terminal/answers.js";
import { runUp } from "../up/run.js";
import type { DriftReport } from "./report.js";

/** Restores only the selected objects to what the file declares: an `up` limited to them, with all its guards. */
export async function runDriftRevert(options: DriftRevertOptions, io: Io): Promise<number> {
  requireSelection(options, "drift revert", io);
  requireYes(options.yes, "drift revert", io);
  const { declarations } = readDeclarations(options.file, {
    env: io.env,
    stack: options.stack,
    overlays: options.overlay,
    allowPaths: options.allowPath,
    mock: "config",
  });
  const names =
    options.names.length > 0 ? requireKnown(options.names, declarations) : await findDrifted(options, io);
  if (names.length === 0) {
    note(io, "Nothing to revert.");
    return exitCodes.ok;
  }
  return runUp({ ...options, refresh: true, objects: names }, io);
}

/** @throws {CliError} when the file does not declare one of them */
function requireKnown(
  names: readonly string[],
  declarations: readonly ResourceDeclaration[],
): readonly string[] {
  const all = declarations.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown === undefined) return names;
  throw new CliError(
    `the file does not declare ${unknown}`,
    suggestOr(
      unknown,
      all,
      'It cannot be reverted: delete the object in the service, or add it to the file with "workspacectl drift accept"',
    ),
  );
}

async function findDrifted(options: DriftRevertOptions, io: Io): Promise<string[]> {
  const report: DriftReport =
    options.report === undefined ? (await detectDrift(options, io)).report : readReport(options.report);
  const drifted = report.findings.filter((one) => one.class === "changed" || one.class === "deleted");
  const wanted = await selectFindings(drifted, options, "Which objects do you want to revert?", io);
  return [...new Set(wanted.map(({ name }) => name))];
}
