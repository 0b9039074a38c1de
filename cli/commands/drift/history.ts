/** Runs `workspacectl drift history`, which reads nothing but the state file. */
import { existsSync } from "node:fs";
import { AutomationError } from "../../../automation/errors.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { stripControls } from "../../../client/printable.js";
import { formatMinute, readFindingRecord, type RecordedFinding } from "../../../reports/finding-record.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson, printTable } from "../../../reports/output.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { readVersion } from "../../../toolchain/locations.js";
import type { DriftHistoryOptions } from "./drift-command.js";

/** Lists what the runs have found: first what is still there, the oldest at the top. */
export async function showDriftHistory(options: DriftHistoryOptions, io: Io): Promise<number> {
  const { stateFile, objects = [] } = options;
  if (stateFile === undefined)
    throw new AutomationError(
      "drift history needs the file in which earlier runs have stored their findings",
      "add --state-file FILE",
    );
  if (!existsSync(stateFile))
    throw new AutomationError(
      `there is no file ${stateFile} with findings of earlier runs`,
      `run "workspacectl drift --state-file ${stateFile}" first`,
    );
  const isWanted = (name: string) =>
    objects.length === 0 || objects.some((pattern) => matchesPattern(pattern, name));
  const findings = sortByAge(readFindingRecord(stateFile).filter(({ name }) => isWanted(name)));
  if (options.json) {
    printJson(io, { version: 1, tool: { name: "workspacectl", version: readVersion() }, findings });
    return exitCodes.ok;
  }
  const rows = findings.map(({ name, path, class: findingClass, since, seen, runs, ended }) => [
    stripControls(path === "" ? name : `${name} ${path}`),
    findingClass,
    formatMinute(since),
    String(runs),
    ended === undefined ? "still there" : `ended ${formatMinute(ended)}`,
    formatMinute(seen),
  ]);
  if (rows.length === 0) print(io, "No run has found drift here.");
  else await printTable(io, ["OBJECT", "CLASS", "SINCE (UTC)", "RUNS", "NOW", "LAST SEEN"], rows);
  return exitCodes.ok;
}

function sortByAge(findings: readonly RecordedFinding[]): RecordedFinding[] {
  const key = ({ ended, since, name }: RecordedFinding) => `${ended === undefined ? 0 : 1} ${since} ${name}`;
  return findings.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
