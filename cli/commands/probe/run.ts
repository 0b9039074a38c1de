import { getAddress } from "../../../provider/index.js";
import { withService, type OpenService, type ServiceOptions } from "../../connection/api-client.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { listRequestedFormats } from "../../reporters/deliver.js";
import type { FormatRequest } from "../../reporters/format-names.js";
import { captureOutput, note, type Io } from "../../terminal/io.js";
import { printJson, printResultTo } from "../../terminal/output.js";
import { formatJson } from "../../terminal/safe-text.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import { ScratchWorld } from "./checks/writes.js";
import { compareServices, writeComparison } from "./compare.js";
import type { ProbeFormat } from "./formats.js";
import { measure } from "./measure.js";
import type { ProbeReport } from "./model.js";
import { ServiceQuestions, Unanswered } from "./questions.js";
import { printProbeReport, buildProbeReport, formatReport, formatVerdict } from "./report.js";
import { ScratchProject } from "./scratch.js";
import { WorkspaceReader } from "./workspace-reader.js";

export interface ProbeOptions extends ServiceOptions {
  readonly write?: boolean;
  readonly project?: string;
  readonly saveProfile?: string;
  /** Names of two connections. */
  readonly compare?: readonly string[];
  readonly format?: readonly FormatRequest<ProbeFormat>[];
  readonly json?: boolean;
  readonly output?: string;
}

/** Requests of the checks that only read, and of those that write besides. */
const READS = 60;
const WRITES = 60;

/** Checks what the service does where its specification is silent. */
export async function probe(options: ProbeOptions, io: Io): Promise<number> {
  const formats = listRequestedFormats<ProbeFormat>(options, "text");
  refuseHalf(options);
  if (options.compare !== undefined) return compareConnections(options.compare, options, formats, io);
  const report = await withService(options, io, (service) => measureService(service, options, io));
  for (const { format, file } of formats) await writeReport(report, format, file, io);
  if (options.saveProfile !== undefined) saveProfile(options.saveProfile, report, io);
  if (!formats.some(({ format, file }) => format === "text" && file === undefined))
    note(io, formatVerdict(report));
  return report.exitCode;
}

async function compareConnections(
  names: readonly string[],
  options: ProbeOptions,
  formats: readonly FormatRequest<ProbeFormat>[],
  io: Io,
): Promise<number> {
  const [left, right, ...others] = names;
  const only = [options.write, options.saveProfile, options.connection].every((one) => one === undefined);
  if (left === undefined || right === undefined || others.length > 0 || !only)
    throw new CliError(
      "--compare takes the names of two connections, and no other choice of what to measure",
      'write them one after the other, as in "workspacectl probe --compare us eu"',
    );
  const probed = async (name: string) => ({
    name,
    report: await withService({ ...options, connection: name }, io, (service) =>
      measureService(service, {}, io),
    ),
  });
  const compared = compareServices(await probed(left), await probed(right));
  for (const { format, file } of formats) await writeComparison(compared, format, file, io);
  return compared.exitCode;
}

function refuseHalf({ write: writes = false, project }: ProbeOptions): void {
  if (writes === (project !== undefined)) return;
  throw new CliError(
    writes ? "--write needs a scratch project" : "--project is the scratch project of --write",
    writes ? "choose one with --project: a new one, or an empty one" : "add --write, or omit --project",
  );
}

async function measureService(service: OpenService, options: ProbeOptions, io: Io): Promise<ProbeReport> {
  const began = Date.now();
  const { connection } = service;
  const domain = await service.workspace();
  const { baseUrl } = connection;
  const { project } = options;
  const abort = new AbortController();
  const most = READS + (project === undefined ? 0 : WRITES);
  const questions = new ServiceQuestions(connection, most, abort.signal);
  const removing = new ServiceQuestions(connection, WRITES);
  const reader = new WorkspaceReader(questions, domain);
  const address = getAddress(baseUrl, domain);
  const scratch =
    project === undefined
      ? undefined
      : new ScratchProject({ questions, removing, root: reader.root, address, name: project, io });
  return runInterruptibly(abort, io, async () => {
    try {
      await refuseUnreadable(reader, domain);
      await scratch?.open();
      const world =
        scratch === undefined || project === undefined
          ? undefined
          : new ScratchWorld(new WorkspaceReader(questions, domain, project), scratch.path, project);
      const findings = await measure(reader, world);
      const known = { findings, workspace: domain, baseUrl, wrote: world !== undefined, now: new Date() };
      return buildProbeReport({ ...known, requests: questions.sent, milliseconds: Date.now() - began });
    } finally {
      await scratch?.remove();
      await Promise.all([questions.close(), removing.close()]);
    }
  });
}

/** @throws {CliError} when nothing can be read */
async function refuseUnreadable(reader: WorkspaceReader, domain: string): Promise<void> {
  const answer = await reader.get(reader.root).catch((error: unknown) => {
    if (!(error instanceof Unanswered)) throw error;
    throw new CliError(`nothing could be measured: ${error.message}`, "run the command again later", {
      cause: error,
    });
  });
  if (answer.status === 200) return;
  throw new CliError(
    `workspace ${domain} cannot be read (HTTP ${answer.status}): nothing could be measured`,
    'run "workspacectl doctor", which says what is missing',
  );
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Ends the checks on a signal, so that what they have created is removed. */
async function runInterruptibly<T>(abort: AbortController, io: Io, work: () => Promise<T>): Promise<T> {
  const stop = () => {
    if (!abort.signal.aborted) note(io, "Stopping: what the probe has created is removed.");
    abort.abort();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work();
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw new CliError(
      "the probe was interrupted",
      "run the same command again, which begins from the start; what it has created was removed",
      {
        exitCode: exitCodes.interrupted,
        cause: error,
      },
    );
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

async function writeReport(
  report: ProbeReport,
  format: ProbeFormat,
  file: string | undefined,
  io: Io,
): Promise<void> {
  const { stream, text } = captureOutput();
  const into = file === undefined ? io : { ...io, stdout: stream };
  if (format === "json") printJson(into, report);
  else if (format === "markdown") return printResultTo(file, `${formatReport(report)}\n`, io);
  else await printProbeReport(report, into);
  if (file !== undefined) printResultTo(file, text(), io);
}

function saveProfile(file: string, { profile }: ProbeReport, io: Io): void {
  writeFileAtomically(file, `${formatJson(profile)}\n`, { named: true });
  note(io, `Written: ${file}. Name it in WORKSPACE_AUTOMATION_PROFILE, or with login --profile.`);
}
