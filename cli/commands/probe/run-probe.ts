/** Runs `workspacectl probe`. */
import { writeFileAtomically } from "../../../automation/config-files/write-file.js";
import { type OpenService, withService } from "../../../automation/connection/api-client.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { getAddress } from "../../../provider/index.js";
import { handleSignals } from "../../../recovery/signals.js";
import { listRequestedFormats } from "../../../reports/deliver-report.js";
import type { FormatRequest } from "../../../reports/formats.js";
import type { Io } from "../../../reports/io.js";
import { formatJson } from "../../../text/safe-text.js";
import { ScratchWorld } from "./checks/writes.js";
import { compareServices, formatComparison, printComparison } from "./compare-services.js";
import type { ProbeFormat, ProbeOptions } from "./probe-command.js";
import {
  buildProbeReport,
  formatReport,
  formatVerdict,
  printProbeReport,
  type ProbeComparison,
  type ProbeReport,
  writeInFormat,
  type Writers,
} from "./probe-report.js";
import { measure } from "./run-checks.js";
import { ScratchProject } from "./scratch-project.js";
import { ServiceQuestions, Unanswered } from "./send-requests.js";
import { WorkspaceReader } from "./workspace-reader.js";

const reportWriters: Writers<ProbeReport> = { print: printProbeReport, markdown: formatReport };
const comparisonWriters: Writers<ProbeComparison> = { print: printComparison, markdown: formatComparison };

/** The list of workspaces is read before anything is known of the service. It accepts the default page size. */
const FIRST = { pageSize: 20 };
/** Requests of the checks that only read, and of those that write besides. */
const READS = 60;
const WRITES = 60;
/** Requests of the hour that are left for the removal. */
const REMOVAL = 15;

/** Checks what the service does where its specification is silent. */
export async function probe(options: ProbeOptions, io: Io): Promise<number> {
  const formats = listRequestedFormats<ProbeFormat>(options, "text");
  refuseHalf(options);
  if (options.compare !== undefined) return compareConnections(options.compare, options, formats, io);
  const report = await withService(options, io, (service) => measureService(service, options, io), FIRST);
  for (const { format, file } of formats) await writeInFormat(report, reportWriters, format, file, io);
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
  const { write: writes, saveProfile: profile, connection } = options;
  const only = [writes, profile, connection].every((one) => one === undefined);
  if (left === undefined || right === undefined || others.length > 0 || !only)
    throw new AutomationError(
      "--compare is followed by the names of two connections, and cannot be used together with other options that choose what to measure",
      'write them one after the other, as in "workspacectl probe --compare us eu"',
    );
  const probed = async (name: string) => ({
    name,
    report: await withService(
      { ...options, connection: name },
      io,
      (service) => measureService(service, {}, io),
      FIRST,
    ),
  });
  const compared = compareServices(await probed(left), await probed(right));
  for (const { format, file } of formats) await writeInFormat(compared, comparisonWriters, format, file, io);
  return compared.exitCode;
}

function refuseHalf({ write: writes = false, project }: ProbeOptions): void {
  if (writes === (project !== undefined)) return;
  throw new AutomationError(
    writes
      ? "--write creates and deletes objects, and needs a project for that"
      : "--project has a meaning only together with --write, which creates and deletes objects in that project",
    writes
      ? "add --project NAME with a project that is empty or does not exist yet"
      : "add --write, or omit --project",
  );
}

async function measureService(service: OpenService, options: ProbeOptions, io: Io): Promise<ProbeReport> {
  const began = Date.now();
  const { connection } = service;
  const domain = await service.workspace();
  const { baseUrl } = connection;
  const { project } = options;
  const abort = new AbortController();
  const isWriting = project !== undefined;
  const questions = new ServiceQuestions(connection, {
    most: READS + (isWriting ? WRITES : 0),
    reserve: isWriting ? REMOVAL : 0,
    signal: abort.signal,
  });
  // The removal waits some minutes for the end of the hour, if it has to.
  const removing = new ServiceQuestions(connection, { most: WRITES, client: { rateLimit: {} } });
  const reader = new WorkspaceReader(questions, domain);
  const address = getAddress(baseUrl, domain);
  const scratch =
    project === undefined
      ? undefined
      : new ScratchProject({ questions, removing, root: reader.root, address, name: project, io });
  let isRemoved = true;
  const report = await runUntilInterrupted(abort, io, async () => {
    try {
      await withReason(async () => {
        await refuseUnreadable(reader, domain);
        await scratch?.open();
      });
      const world =
        scratch === undefined || project === undefined
          ? undefined
          : new ScratchWorld(new WorkspaceReader(questions, domain, project), scratch.path, project);
      const findings = await measure(reader, world);
      const known = { findings, workspace: domain, baseUrl, wrote: world !== undefined, now: new Date() };
      const requests = questions.sent;
      return buildProbeReport({ ...known, requests, milliseconds: Date.now() - began });
    } finally {
      isRemoved = (await scratch?.remove()) ?? true;
      await Promise.all([questions.close(), removing.close()]);
    }
  });
  return isRemoved ? report : { ...report, exitCode: exitCodes.error };
}

/** @throws {AutomationError} when nothing can be read */
async function refuseUnreadable(reader: WorkspaceReader, domain: string): Promise<void> {
  const answer = await reader.get(reader.root);
  if (answer.status === 200) return;
  throw new AutomationError(
    `workspace ${domain} cannot be read with this token (HTTP ${answer.status}), so nothing was measured`,
    'run "workspacectl doctor", which says what is missing',
  );
}

/** @throws {AutomationError} instead of {Unanswered} */
async function withReason(begin: () => Promise<void>): Promise<void> {
  try {
    await begin();
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    throw new AutomationError(`nothing was measured: ${error.message}`, "run the command again later", {
      cause: error,
    });
  }
}

/** Ends the checks on a signal, so that what they have created is removed. */
async function runUntilInterrupted<T>(abort: AbortController, io: Io, work: () => Promise<T>): Promise<T> {
  const stop = () => {
    if (!abort.signal.aborted) note(io, "Stopping: what the probe has created is removed.");
    abort.abort();
  };
  const endListening = handleSignals(stop);
  try {
    return await work();
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    throw new AutomationError(
      "the probe was interrupted",
      "run the same command again, which begins from the start; what it has created was removed",
      {
        code: "interrupted",
        cause: error,
      },
    );
  } finally {
    endListening();
  }
}

function saveProfile(file: string, { profile }: ProbeReport, io: Io): void {
  writeFileAtomically(file, `${formatJson(profile)}\n`, { named: true });
  note(io, `Written: ${file}. Name it in WORKSPACE_AUTOMATION_PROFILE, or with login --profile.`);
}
