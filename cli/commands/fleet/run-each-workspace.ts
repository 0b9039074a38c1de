/** Runs one command for every workspace of a fleet, with limited parallelism. */
import { delimiter, dirname, join } from "node:path";
import pLimit from "p-limit";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { makeTemporaryFolder } from "../../../automation/temporary-folders.js";
import { recordChange } from "../../../client/changes.js";
import {
  readRequestCounter,
  REQUEST_COUNTER_VARIABLE,
  REQUEST_SHARES_VARIABLE,
} from "../../../provider/index.js";
import { handleSignals } from "../../../recovery/signals.js";
import type { Io } from "../../../reports/io.js";
import type { ViewData } from "../../../reports/view-data.js";
import { shortenPath } from "../../../text/shown-path.js";
import { findFolder } from "../../../trust/backend.js";
import { findCheckoutRoot, isInside } from "../../../trust/checkout.js";
import { readTextIfPresent } from "../../../trust/checkout-files.js";
import { makeFolder } from "../../../trust/output-files.js";
import { FLEET_POLICY_VARIABLE } from "../../../trust/policies.js";
import type { FleetEntry } from "./fleet-file.js";
import { putLockedFirst } from "./locked-workspaces.js";
import { type FleetResult, listCheckNotes, parseResult } from "./result.js";
import { createPathMapper, escapeInJson } from "./shown-path.js";
import { inTurn, type StartChild, type Turn, WorkerPool } from "./worker-processes.js";
import {
  adaptCommands,
  buildEnvironment,
  type FleetCommand,
  type FleetWords,
  isOffline,
  listChildArguments,
  plansChanges,
} from "./workspace-command.js";

export interface FleetRun {
  readonly command: FleetCommand;
  /** Further arguments of each process. */
  readonly more: readonly string[];
  readonly parallel: number;
  /** Policies that the caller names. */
  readonly policies?: readonly string[];
  /** Policy that the fleet file adds. */
  readonly fleetPolicy?: string | undefined;
  /** Start no further process after a failure. */
  readonly failFast: boolean;
  readonly start?: StartChild;
  /** Signals, also during former calls. */
  readonly interruption?: FleetInterruption;
  /** Returns the number of processes that may use the requests of a workspace's user at the same time. Default 1. */
  readonly shares?: (entry: FleetEntry) => number;
  /** Receives each result as soon as its process has ended. */
  readonly onResult?: ((result: FleetResult) => void) | undefined;
  /** Receives what the report of a workspace says. */
  readonly onReport?: ((name: string, data: ViewData) => void) | undefined;
  /** The fingerprint of the only plan to apply, by workspace. */
  readonly approved?: ReadonlyMap<string, string> | undefined;
  /** The workspace with which the others are compared. */
  readonly left?: FleetEntry | undefined;
  /** For the commands that reports propose. */
  readonly words?: FleetWords | undefined;
}

/** Exit codes from the worst to the best. */
const WORST = [exitCodes.interrupted, exitCodes.error, exitCodes.incomplete, exitCodes.drift, exitCodes.ok];

/** Returns the results in the order of the file. A failure does not stop the others. */
export async function runFleet(
  entries: readonly FleetEntry[],
  run: FleetRun,
  io: Io,
): Promise<FleetResult[]> {
  const processes = new FleetProcesses(entries, run, io);
  const limit = pLimit(run.parallel);
  try {
    const environmentOf = (entry: FleetEntry) => processes.getEnvironment(entry);
    const order = run.command === "up" ? await putLockedFirst(entries, environmentOf) : entries;
    const results = await Promise.all(
      order.map((entry) => inTurn(limit, (turn) => processes.run(entry, turn))),
    );
    const byEntry = new Map(order.map((entry, index) => [entry, results[index]]));
    return entries.flatMap((entry) => byEntry.get(entry) ?? []);
  } finally {
    await processes.close();
  }
}

/** The processes for some workspaces. Signals to this process concern them until `close`. */
export class FleetProcesses {
  private readonly environments: ReadonlyMap<FleetEntry, NodeJS.ProcessEnv>;
  private readonly width: number;
  private readonly folder = makeTemporaryFolder();
  private readonly interruption: FleetInterruption;
  private readonly stopListening: () => void;
  private readonly workers: WorkerPool;
  private hasFailed = false;

  /** @throws {AutomationError} when the environment of one is incomplete, before any starts */
  constructor(
    entries: readonly FleetEntry[],
    private readonly fleet: FleetRun,
    private readonly io: Io,
  ) {
    const isOfflineRun = isOffline(fleet.command);
    this.environments = new Map(
      entries.map((entry) => [entry, buildEnvironment(entry, io.env, isOfflineRun)]),
    );
    if (plansChanges(fleet.command)) entries.forEach(makeStateFolder);
    this.width = Math.max(0, ...entries.map(({ name }) => name.length));
    this.interruption = fleet.interruption ?? new FleetInterruption();
    this.stopListening = this.interruption.listen();
    this.workers = new WorkerPool(this.interruption.signal, fleet.command !== "up");
  }

  /** Whether no further process starts: after a signal, or a failure with `failFast`. */
  get isStopped(): boolean {
    return this.interruption.isInterrupted || (this.fleet.failFast && this.hasFailed);
  }

  getEnvironment(entry: FleetEntry): NodeJS.ProcessEnv {
    return this.environments.get(entry) ?? {};
  }

  /** Runs the command for a workspace. */
  async run(entry: FleetEntry, turn: Turn): Promise<FleetResult> {
    if (this.isStopped) return this.skip(entry);
    const { command, more, start = this.workers.start, shares = () => 1 } = this.fleet;
    const { policies, fleetPolicy, onReport, onResult, approved, left } = this.fleet;
    const lines: string[] = [];
    const began = Date.now();
    const [mapText, mapJson] = [createPathMapper(entry), createPathMapper(entry, escapeInJson)];
    const onLine = (text: string) => {
      const line = mapText(text);
      lines.push(line);
      note(this.io, `${this.io.colors.dim(`${entry.name.padEnd(this.width)} |`)} ${line}`);
    };
    const counter = join(this.folder, encodeURIComponent(entry.name));
    const viewData = onReport === undefined ? undefined : `${counter}.json`;
    const work = { command, more, policies, viewData, approved: approved?.get(entry.name), left };
    const added = [fleetPolicy, entry.policy].filter((path) => path !== undefined);
    const env = {
      ...this.getEnvironment(entry),
      ...(added.length === 0 ? {} : { [FLEET_POLICY_VARIABLE]: added.join(delimiter) }),
      [REQUEST_SHARES_VARIABLE]: String(shares(entry)),
      [REQUEST_COUNTER_VARIABLE]: counter,
    };
    const { exitCode, stdout } = await start({ argv: listChildArguments(entry, work), env }, onLine, turn);
    const result = parseResult(command, exitCode, mapJson(stdout), lines);
    if (result.result === "error") this.hasFailed = true;
    const { reads, writes } = readRequestCounter(counter);
    const seconds = Math.round((Date.now() - began) / 100) / 10;
    const ended = { ...pickPlace(entry), ...result, seconds, requests: reads + writes };
    onResult?.(ended);
    const said = viewData === undefined ? undefined : readTextIfPresent(viewData);
    if (said !== undefined)
      onReport?.(entry.name, adaptCommands(entry, JSON.parse(mapJson(said)) as ViewData, this.fleet.words));
    else if (isOffline(command))
      onReport?.(entry.name, { findings: [], notes: listCheckNotes(command, result.report) });
    return ended;
  }

  /** Returns the result of a workspace that is not started any more. */
  skip(entry: FleetEntry): FleetResult {
    return createNotStarted(entry, "not started", this.interruption.exitCode);
  }

  async close(): Promise<void> {
    await this.workers.close();
    this.stopListening();
  }
}

/** Creates the folder of the state: Pulumi requires an existing one. One outside the checkout has to exist. */
function makeStateFolder({ file, backend }: FleetEntry): void {
  const folder = backend && findFolder(backend);
  if (folder !== undefined && isInside(findCheckoutRoot(dirname(file)), folder))
    makeFolder(folder, { mode: 0o700 });
}

/** Returns the result of a workspace whose process was not started. @param exitCode of the run, if this is the reason for it */
export function createNotStarted(
  entry: FleetEntry,
  summary: string,
  exitCode: number = exitCodes.ok,
): FleetResult {
  return { ...pickPlace(entry), result: "skipped", exitCode, summary };
}

/** Returns the result of a workspace that was completed before, or by another machine. */
export function createDone(entry: FleetEntry): FleetResult {
  return { ...createNotStarted(entry, "done before"), result: "ok" };
}

/** Returns the worst exit code. Workspaces that were skipped after a failure do not count. */
export function findWorst(results: readonly Pick<FleetResult, "exitCode">[]): number {
  const codes = results.map(({ exitCode }) => exitCode);
  return WORST.find((code) => codes.includes(code)) ?? exitCodes.error;
}

function pickPlace({
  name,
  file,
  stack,
  owner,
}: FleetEntry): Pick<FleetResult, "name" | "file" | "stack" | "owner"> {
  return { name, file: shortenPath(file), stack, ...(owner === undefined ? {} : { owner }) };
}

export class FleetInterruption {
  private readonly abort = new AbortController();
  private count = 0;

  get isInterrupted(): boolean {
    return this.count > 0;
  }

  /** Exit code of what is not started. */
  get exitCode(): number {
    return this.isInterrupted ? exitCodes.interrupted : exitCodes.ok;
  }

  /** Each "abort" event sends a signal to the processes, which have a group of their own. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** Prevents that signals end this process itself. @returns a function that ends this */
  listen(): () => void {
    // Other processes may change the workspaces from now on.
    recordChange();
    return handleSignals(this.onSignal);
  }

  private readonly onSignal = (signal: NodeJS.Signals) => {
    this.count += 1;
    // On Windows, Ctrl-C reaches the processes too.
    if (signal === "SIGINT" && process.platform === "win32") return;
    if (this.abort.signal.aborted) this.abort.signal.dispatchEvent(new Event("abort"));
    else this.abort.abort();
  };
}
