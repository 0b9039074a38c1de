/** Runs `workspacectl owners`. */
import type { OwnersOptions } from "./command.js";
import { readLogins } from "../../connection/connection.js";
import { ProviderError } from "../../../provider/errors.js";
import { resolveConnection } from "../../../provider/index.js";
import { readDeclarations } from "../../../workspace-file/load/index.js";
import type { ServiceOptions } from "../../connection/api-client.js";
import { CliError, exitCodes } from "../../errors.js";
import { readOptions } from "../../options/read-options.js";
import { note, type Io } from "../../terminal/io.js";
import { printJson } from "../../terminal/output.js";
import { reportHead } from "../../reporters/json.js";
import type { ComparedSource } from "../compare/compared-source.js";
import { readLiveSource } from "../compare/sources/live.js";
import { openReadingProgress } from "../export/read-workspace.js";
import { buildScope } from "../export/scope.js";
import { refuseOverlaps, type NamedFile } from "./owning-file.js";
import { printOwners } from "./print.js";
import { createOwnersReport } from "./report.js";

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

/** Returns the connection and the workspace of all files. @throws {CliError} when they differ */
function requireCommonService(
  files: readonly NamedFile[],
  { connection, workspace }: ServiceOptions,
): ServiceOptions {
  const only = (key: "connection" | "workspace", option: string | undefined) => {
    const [first, ...others] = files.filter(({ loaded }) => loaded[key] !== undefined);
    const other = others.find(({ loaded }) => loaded[key] !== first?.loaded[key]);
    if (first !== undefined && other !== undefined)
      throw new CliError(
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
  const { wait = false } = options;
  try {
    return await readLiveSource(spec, { scope: buildScope(options), wait, progress }, () => new Map(), io);
  } finally {
    progress.end();
  }
}
