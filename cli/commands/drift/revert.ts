/** Runs `workspacectl drift revert`. */
import { listCreatedAgain } from "../../../automation/drift/created-again.js";
import { detectDrift } from "../../../automation/drift/detect-drift.js";
import type { DriftFinding, DriftReport } from "../../../automation/drift/drift-report.js";
import { AutomationError } from "../../../automation/errors.js";
import { formatNextCommand, type StackWords } from "../../../automation/next-command.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type { Io } from "../../../reports/io.js";
import { isWithin } from "../../../resources/definition/logical-name.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { formatFirst } from "../../../text/lists.js";
import { readDeclarations, type ResourceDeclaration } from "../../../workspace-file/load/load.js";
import { runUp } from "../../operations/up.js";
import { requireYes } from "../../terminal/answers.js";
import type { DriftRevertOptions } from "./drift-command.js";
import { readReport, requireSelection, selectFindings } from "./select-findings.js";

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
  const names = await chooseObjects(options, declarations, io);
  if (names.length === 0) {
    note(io, "Nothing to revert.");
    return exitCodes.ok;
  }
  return runUp({ ...options, refresh: true, objects: names }, io);
}

/** The names of the objects to restore. What was deleted is restored with all that is in it, as `accept` removes it with all of that. */
async function chooseObjects(
  options: DriftRevertOptions,
  declarations: readonly ResourceDeclaration[],
  io: Io,
): Promise<readonly string[]> {
  const all = declarations.map(({ name }) => name);
  const matches = options.names.map((pattern) => ({ pattern, found: listMatching(pattern, declarations) }));
  const named = new Set(matches.flatMap(({ found }) => found));
  const isWhole = all.every((name) => named.has(name) || ![...named].some((one) => isWithin(name, one)));
  if (named.size > 0 && isWhole && matches.every(({ found }) => found.length > 0)) return [...named];
  // The id of a finding has no slash, and a name has one.
  const unknown = matches.find(({ pattern, found }) => found.length === 0 && pattern.includes("/"));
  if (unknown !== undefined) throw createUnknownError(unknown.pattern, all);
  const drifted = await findDrifted(options, io);
  const wanted = options.names.length > 0 ? [] : await ask(drifted, options, io);
  const chosen = new Set([...named, ...wanted.map(({ name }) => name)]);
  for (const { pattern, found } of matches) {
    const byId = drifted.filter(({ id }) => id === pattern);
    if (found.length + byId.length === 0) throw createUnknownError(pattern, all);
    for (const { name } of byId) chosen.add(name);
  }
  const deleted = drifted.filter((one) => one.class === "deleted" && chosen.has(one.name));
  for (const { name } of deleted)
    for (const inside of all.filter((one) => isWithin(one, name))) chosen.add(inside);
  return [...chosen];
}

/** An object matches by its former names too. A name that could be a pattern counts as a name where an object has it. */
function listMatching(pattern: string, declarations: readonly ResourceDeclaration[]): string[] {
  if (declarations.some(({ name }) => name === pattern)) return [pattern];
  return declarations
    .filter(({ name, formerNames }) => [name, ...formerNames].some((one) => matchesPattern(pattern, one)))
    .map(({ name }) => name);
}

function createUnknownError(name: string, all: readonly string[]): AutomationError {
  return new AutomationError(
    `the file does not declare ${name}`,
    suggestOr(
      name,
      all,
      'It cannot be reverted: delete the object in the service, or add it to the file with "workspacectl drift accept"',
    ),
  );
}

async function findDrifted(options: DriftRevertOptions, io: Io): Promise<DriftFinding[]> {
  const report: DriftReport =
    options.report === undefined ? (await detectDrift(options, io)).report : readReport(options.report);
  if (options.all) noteKept(report, options, io);
  const others = options.all ? listCreatedAgain(report.findings) : [];
  return report.findings.filter(
    (one) => (one.class === "changed" || one.class === "deleted") && !others.includes(one.name),
  );
}

/** Says which objects of a report stay as they are, because only a file that declares them can delete them. */
export function noteKept({ findings }: Pick<DriftReport, "findings">, options: StackWords, io: Io): void {
  const others = listCreatedAgain(findings);
  const isOther = (name: string) => others.includes(name);
  const added = findings.filter((one) => one.class === "added").map(({ name }) => name);
  noteCreatedAgain(added.filter(isOther), options, io);
  const names = added.filter((name) => !isOther(name));
  if (names.length === 0) return;
  const [stay, them] = names.length === 1 ? ["stays", "it"] : ["stay", "them"];
  note(
    io,
    `${formatFirst(names, MOST_NAMED)} ${stay}, because the file does not declare ${them}: ` +
      `delete ${them} in the service, or run "${formatNextCommand(["drift", "accept"], options)}".`,
  );
}

function noteCreatedAgain(names: readonly string[], options: StackWords, io: Io): void {
  if (names.length === 0) return;
  note(
    io,
    `Created again under their names, and not touched: ${formatFirst(names, MOST_NAMED)}. ` +
      `To make them what the file says, write "adopt: true" in their entries, and run "${formatNextCommand(["up"], options)}".`,
  );
}

/** Maximum number of objects that are named. */
const MOST_NAMED = 8;

const ask = (drifted: readonly DriftFinding[], options: DriftRevertOptions, io: Io) =>
  selectFindings(drifted, options, "Which objects do you want to revert?", io);
