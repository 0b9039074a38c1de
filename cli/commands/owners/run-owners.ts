/** Runs `workspacectl owners`, and prints for people who owns what. */
import type { ComparedSource } from "../../../automation/compare/compared-source.js";
import { readLiveSource } from "../../../automation/compare/sources/live.js";
import type { ServiceOptions } from "../../../automation/connection/api-client.js";
import { readLogins } from "../../../automation/connection/connection.js";
import { readOptions } from "../../../automation/connection/file-facts.js";
import { AutomationError } from "../../../automation/errors.js";
import { openReadingProgress } from "../../../automation/export/read-workspace.js";
import { buildScope } from "../../../automation/export/scope.js";
import { keepOutermost } from "../../../automation/policy/guards/deletes.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { reportHead } from "../../../automation/report/report-schemas.js";
import { stripControls } from "../../../client/printable.js";
import { formatCount } from "../../../diff/format-count.js";
import { resolveConnection } from "../../../provider/index.js";
import { type Io, print } from "../../../reports/io.js";
import { printJson } from "../../../reports/output.js";
import { ProviderError } from "../../../resources/errors.js";
import { formatFirst, groupBy } from "../../../text/lists.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import { type NamedFile, refuseOverlaps } from "../../operations/file-owners.js";
import type { OwnersOptions } from "./owners-command.js";
import {
  createOwnersReport,
  type OwnableObject,
  type OwnedObject,
  type OwnersReport,
} from "./owners-report.js";

/**
 * Shows which file owns what. Writes nothing.
 * @throws {WorkspaceFileError} when a file is invalid, or two files own the same object
 */
export async function runOwners(options: OwnersOptions, io: Io): Promise<number> {
  const { files: given, json = false } = options;
  const names = given.length === 0 ? ["workspace.yaml"] : given;
  const loaded = names.map((file) => ({
    file,
    loaded: readDeclarations(file, { ...readOptions({ ...options, file }, io), mock: true }),
  }));
  const service = requireCommonService(loaded, options);
  const files = refuseOverlaps(loaded);
  const live = hasConnection(service, options, io) ? await readLive(service, options, io) : undefined;
  const scope = buildScope(options);
  const report = createOwnersReport(files, live, service.workspace, scope.includes);
  if (json) printJson(io, { ...reportHead(1), ...report });
  else printOwners(report, io);
  return report.incomplete.length > 0 ? exitCodes.incomplete : exitCodes.ok;
}

/** Returns the connection and the workspace of all files. @throws {AutomationError} when they differ */
function requireCommonService(
  files: readonly NamedFile[],
  { connection, workspace }: ServiceOptions,
): ServiceOptions {
  const only = (key: "connection" | "workspace", option: string | undefined) => {
    const [first, ...others] = files.filter(({ loaded }) => loaded[key] !== undefined);
    const other = others.find(({ loaded }) => loaded[key] !== first?.loaded[key]);
    if (first !== undefined && other !== undefined)
      throw new AutomationError(
        `${first.file} says "${key}: ${first.loaded[key]}", and ${other.file} says "${key}: ${other.loaded[key]}"`,
        "pass the files of one workspace only",
      );
    const value = option ?? first?.loaded[key];
    return value === undefined ? {} : { [key]: value };
  };
  return { ...only("connection", connection), ...only("workspace", workspace) };
}

/** Without a connection, the files alone are read, unless an option names one. */
function hasConnection(service: ServiceOptions, { offline, connection }: OwnersOptions, io: Io): boolean {
  if (offline === true) return false;
  try {
    const credentials = readLogins(io.env);
    resolveConnection({ explicit: { ...service }, env: io.env, credentials });
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== "no-connection" || connection !== undefined)
      throw error;
    note(io, `The workspace is not read, as with --offline: ${error.message}`);
    return false;
  }
}

async function readLive(service: ServiceOptions, options: OwnersOptions, io: Io): Promise<ComparedSource> {
  const progress = await openReadingProgress(io);
  const spec = { kind: "connection", name: service.connection ?? "the workspace", ...service } as const;
  try {
    return await readLiveSource(spec, { scope: buildScope(options), progress }, () => new Map(), io);
  } finally {
    progress.end();
  }
}

/** Maximum number of objects that a line names. */
const NAMED = 8;

function printOwners(report: OwnersReport, io: Io): void {
  const { workspace, baseUrl, files, unowned, notIdentified, incomplete, live } = report;
  const { bold, dim } = io.colors;
  if (workspace !== undefined)
    print(io, `Workspace ${stripControls(workspace)}${live ? ` at ${baseUrl}` : ""}\n`);
  const width = Math.max(0, ...files.flatMap(({ owns = [] }) => owns.map(({ pattern }) => pattern.length)));
  for (const { file, owns, objects } of files) {
    print(io, bold(stripControls(file)));
    if (owns === undefined) printOwned("what it declares", "", objects, io);
    const byPattern = groupBy(objects, ({ pattern }) => pattern);
    for (const { pattern, place } of owns ?? [])
      printOwned(
        stripControls(pattern).padEnd(width),
        dim(`  ${stripControls(place.file)}:${place.line}`),
        byPattern.get(pattern) ?? [],
        io,
      );
  }
  const whose = live ? "Nobody owns" : "Of what the files refer to, nobody owns";
  print(
    io,
    `\n${bold(`${whose}: ${unowned.length === 0 ? "nothing" : formatCount(unowned.length, "object")}`)}`,
  );
  printNames(unowned, io);
  if (notIdentified.length > 0)
    print(
      io,
      `\nNot compared: ${formatCount(notIdentified.length, "object")} of people whom the service does not identify`,
    );
  for (const { type, name, reason } of incomplete)
    note(io, `Not read: ${type} ${stripControls(name ?? "of the workspace")}: ${stripControls(reason)}`);
}

function printOwned(what: string, where: string, objects: readonly OwnedObject[], io: Io): void {
  print(io, `  ${what}  ${formatCount(objects.length, "object")}${where}`);
  const names = (of: readonly OwnedObject[]) =>
    formatFirst(keepOutermost(of.map(({ name }) => name)).map(formatName), NAMED);
  const added = objects.filter(({ declared }) => !declared);
  const missing = objects.filter(({ exists }) => exists === false);
  if (added.length > 0) print(io, `    not declared: ${names(added)}`);
  if (missing.length > 0) print(io, `    not in the workspace: ${names(missing)}`);
}

/** Prints the objects that are in no other object without an owner. */
function printNames(objects: readonly OwnableObject[], io: Io): void {
  const outer = new Map(keepOutermost(objects.map(({ name }) => name)).map((one) => [one.name, one]));
  const shown = objects.filter(({ name }) => outer.has(name));
  const width = Math.max(0, ...shown.map(({ type }) => type.length));
  for (const { type, name } of shown)
    print(io, `  ${type.padEnd(width)}  ${formatName({ inside: 0, ...outer.get(name), name })}`);
}

function formatName({ name, inside }: { readonly name: string; readonly inside: number }): string {
  return `${stripControls(name)}${inside === 0 ? "" : ` (and ${inside} in it)`}`;
}
