/** Runs `workspacectl history`. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { readJsonFile, readNamedText } from "../../../automation/config-files/checked-files.js";
import { AutomationError } from "../../../automation/errors.js";
import type { PropertyChange } from "../../../automation/plan/property-changes.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { formatRunOrigin } from "../../../automation/run-origin.js";
import { type Receipt, receipt } from "../../../automation/saved-plan/schema.js";
import { createMissingStackError, stackExists, stackNames } from "../../../automation/stack/missing-stack.js";
import { openPulumi } from "../../../automation/stack/pulumi-project.js";
import { listObjectsInState } from "../../../automation/stack/state.js";
import { findStateStore, type StateStore } from "../../../automation/stack/state-store.js";
import { stripControls } from "../../../client/printable.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson } from "../../../reports/output.js";
import { formatChangeLines } from "../../../reports/plan/changed-rows.js";
import { suggestOr } from "../../../resources/definition/problems.js";
import { fromJson, toJson } from "../../../text/json-value.js";
import { readVersion } from "../../../toolchain/locations.js";
import { listFolder } from "../../../trust/checkout-files.js";
import type { HistoryOptions } from "./history-command.js";
import { type HistoryEntry, listRecordedChanges, pickOrigin } from "./recorded-changes.js";

/** Lists the changes of an object, the latest first. */
export async function showHistory(options: HistoryOptions, io: Io): Promise<number> {
  const { object, limit } = options;
  const { cli, stack, location, target } = await openPulumi(options, { secrets: false }, io);
  const receipts = readReceipts(options.receipts ?? [], location);
  const store = await findStateStore(location, cli.env);
  const recorded = typeof store === "string" ? [] : await readRecorded(object, store, limit);
  if (typeof store === "string") note(io, `Only receipts are read, because ${store}.`);
  const telling = receipts.filter(({ done }) => done.some(({ name }) => name === object));
  const named = telling.flatMap((one) => listChangesIn(one, object));
  const others = recorded.filter((entry) => !telling.some((one) => isOfRun(one, entry)));
  const entries = [...named, ...others].toSorted((one, other) => other.at - one.at).slice(0, limit);
  if (entries.length === 0) {
    if (!(await stackExists(target)))
      throw await createMissingStackError(target, await stackNames(cli), options);
    throw await createUnknownError(object, stack, store);
  }
  if (options.json) printJson(io, toReport(object, stack, entries));
  else printEntries(object, stack, entries, io);
  return exitCodes.ok;
}

async function readRecorded(object: string, store: StateStore, limit: number): Promise<HistoryEntry[]> {
  try {
    return await listRecordedChanges(object, store.runs(), limit);
  } catch (error) {
    throw new AutomationError(
      `the runs of the stack cannot be read: ${(error as Error).message}`,
      "check PULUMI_BACKEND_URL, and the credentials for that address",
    );
  }
}

const EXPECTED = { what: "a receipt of this release", remedy: "choose files that up --receipt has written" };

/** Reads the receipts of runs on the same stack: files, or all in a folder. */
function readReceipts(
  paths: readonly string[],
  { project, stack }: { readonly project: string; readonly stack: string },
): Receipt[] {
  const found = paths.flatMap((path): Receipt[] => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
      return [readJsonFile(receipt, path, EXPECTED)];
    const files = listFolder(path, { named: true }).filter((name) => name.endsWith(".json"));
    return files
      .filter((name) => readNamedText(join(path, name), EXPECTED.remedy).includes('"workspacectl-receipt"'))
      .map((name) => readJsonFile(receipt, join(path, name), EXPECTED));
  });
  return found.filter((one) => one.project === project && one.stack.split("/").at(-1) === stack);
}

/** Checks whether Pulumi has recorded an entry during the run of a receipt. Pulumi drops the fractions of seconds. */
function isOfRun({ startedAt, endedAt }: Receipt, { startedAt: began = 0, at }: HistoryEntry): boolean {
  return began > Date.parse(startedAt) - 1000 && at <= Date.parse(endedAt);
}

function listChangesIn({ done, by = {}, endedAt, approved }: Receipt, object: string): HistoryEntry[] {
  return done
    .filter(({ name }) => name === object)
    .map(({ operation, changes = [] }) => ({
      at: Date.parse(endedAt),
      operation,
      by: pickOrigin(by),
      approved,
      changes: changes.map(({ path, pathParts, before, after }): PropertyChange => {
        return { path, parts: pathParts, before: fromJson(before), after: fromJson(after) };
      }),
      source: "receipt",
    }));
}

async function createUnknownError(
  object: string,
  stack: string,
  store: StateStore | string,
): Promise<AutomationError> {
  if (typeof store === "string")
    return new AutomationError(
      `no receipt mentions ${object}`,
      "correct the name, or pass the folder of other receipts with --receipts",
    );
  const known: string[] = [];
  for await (const { state } of store.runs())
    known.push(...listObjectsInState(state).map(({ name }) => name));
  return new AutomationError(
    `no run on stack ${stack} has changed ${object}`,
    suggestOr(object, [...new Set(known)], "choose the logical name of an object, as plans show it"),
  );
}

const VERBS: Readonly<Record<HistoryEntry["operation"], string>> = {
  create: "created",
  adopt: "adopted",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  release: "released",
  rename: "renamed",
  found: "changed outside",
};

function printEntries(object: string, stack: string, entries: readonly HistoryEntry[], io: Io): void {
  print(io, `${stripControls(object)} · stack ${stripControls(stack)}`);
  for (const { at, operation, formerName, by, approved, changes } of entries) {
    const when = new Date(at).toISOString().slice(0, 19).replace("T", " ");
    const former = formerName === undefined ? "" : ` from ${formerName}`;
    const found = operation === "found" ? "found " : "";
    const who = [`${found}${formatRunOrigin(by)}`.trim(), approved && "approved"].filter(Boolean).join(", ");
    print(io);
    print(io, stripControls(`${when}  ${VERBS[operation]}${former}  ${who}`.trimEnd()));
    for (const line of formatChangeLines(changes, io.colors, {})) print(io, line);
  }
}

function toReport(object: string, stack: string, entries: readonly HistoryEntry[]): object {
  return {
    version: 1,
    tool: { name: "workspacectl", version: readVersion() },
    object,
    stack,
    entries: entries.map(({ at, startedAt: _, changes, ...entry }) => ({
      at: new Date(at).toISOString(),
      ...entry,
      changes: changes.map(({ path, parts, before, after }) => {
        return { path, pathParts: parts, before: toJson(before), after: toJson(after) };
      }),
    })),
  };
}
