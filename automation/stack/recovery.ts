/**
 * Recovers a stack after a crash, before a command works on it: objects that a killed run created are added to the state, those that it
 * changed or deleted are read again. What cannot be found out is reported and skipped, so that recovery never prevents a command.
 */
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseLogicalName } from "../../components/urn.js";
import { formatCount } from "../../diff/format-count.js";
import { findUnfinished, parsePulumiType } from "../../provider/index.js";
import type { Intent, Interrupted, JournaledChange } from "../../recovery/journal.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import { describeReading } from "../connection/api-client.js";
import type { WorkspaceConnection } from "../connection/connection.js";
import { AutomationError } from "../errors.js";
import { formatNextCommand, type StackWords } from "../next-command.js";
import { note, type Port } from "../port.js";
import { withSigns } from "../signs-of-life.js";
import { findLock, formatOwner, releaseDeadLocks } from "./locks.js";
import { formatLocked, type PulumiCli, runPulumi } from "./pulumi.js";
import { createEntry, type State, withEntries } from "./recovered-state.js";
import { listReferredBy, type Pending, type StackLocation, type StateEntry } from "./state.js";
import { openJournalOf } from "./state-journal.js";
import { findStateStore } from "./state-store.js";
import { getNamedFile } from "./user-program.js";

/** Time for a run to end after its engine has released the lock. */
const PATIENCE_MS = 10_000;

interface RecoveryTarget extends StackLocation {
  /** Name of the stack on the command line. */
  readonly name: string;
  readonly cli: PulumiCli;
  readonly connection: WorkspaceConnection;
  /** Settles when the connection has been checked. */
  readonly checked: Promise<void>;
  /** The options that named the stack. */
  readonly options: StackWords;
  /** Reads objects of the state again, by URN. */
  readonly refresh: (urns: readonly string[]) => Promise<unknown>;
}

interface Begun {
  readonly creations: readonly Interrupted[];
  readonly changes: readonly (JournaledChange & { readonly intent: Intent })[];
}

/** @returns why it did nothing, if another run is using the stack */
export async function recoverStack(target: RecoveryTarget, io: Port): Promise<string | undefined> {
  const journal = await openJournalOf(target, target.cli.env);
  const active = await waitForOwner(journal, target, io);
  if (active !== undefined) return active;
  const begun = await journal.interrupted(createUrnBuilder(target));
  const isIdle = begun.creations.length === 0 && begun.changes.length === 0;
  if (isIdle && !(await mayHavePending(target))) {
    await tidy(journal, target, io);
    return undefined;
  }
  return withSigns(io, "Completing what an interrupted run left behind", () =>
    settle(journal, begun, target, io),
  );
}

/** Finds out what became of what was begun, and writes it into the state. */
async function settle(
  journal: RunJournal,
  begun: Begun,
  target: RecoveryTarget,
  io: Port,
): Promise<string | undefined> {
  await target.checked;
  // The journal was read before, so the runs that it names have ended if there is no lock now.
  const locked = await releaseLockOf(target, io);
  if (locked !== undefined) return locked;
  const exported = await runPulumi(target.cli, ["stack", "export", "--stack", target.name]);
  const result = await resolve(JSON.parse(exported) as State, begun, journal, target, io);
  if (result.isChanged) {
    // Another run may have started in the meantime. Its state is newer and must not be overwritten.
    const taken = await releaseLockOf(target, io);
    if (taken !== undefined) return taken;
    if ((await runPulumi(target.cli, ["stack", "export", "--stack", target.name])) !== exported)
      return formatLocked(undefined);
    await runPulumi(target.cli, ["stack", "import", "--stack", target.name], JSON.stringify(result.state));
  }
  const isRead = await readAgain(result.state, begun, target, io);
  for (const intent of result.settled) intent.close();
  if (isRead) for (const { intent } of begun.changes) intent.close();
  await journal.removeDone();
  await tidy(journal, target, io);
  report(result, begun, target.options, io);
  return undefined;
}

/**
 * Removes the files of earlier runs in which nothing is open, and the copy of an old state, which must not be there when a later one is lost. A run
 * that was lost during a recovery leaves such files, and so does one that ends its journal while another one closes its intents.
 */
async function tidy(journal: RunJournal, target: RecoveryTarget, io: Port): Promise<void> {
  const store = await findStateStore(target, target.cli.env);
  const hasSnapshot = typeof store !== "string" && store.hasSnapshot;
  if (!hasSnapshot && !(await journal.hasDone())) return;
  if ((await releaseLockOf(target, io)) !== undefined) return;
  try {
    await journal.removeDone();
  } catch {
    // The next command that may write there removes them.
    return;
  }
  if (hasSnapshot && (await journal.isEmpty())) store.dropSnapshot();
}

/** Whether killed runs have left intents that no command has settled yet. Commands without a connection only report it. */
export async function isUnsettled(location: StackLocation, cli: PulumiCli): Promise<boolean> {
  const { creations, changes } = await (
    await openJournalOf(location, cli.env)
  ).interrupted(createUrnBuilder(location));
  return creations.length + changes.length > 0;
}

/** Says why the state is incomplete: a run was killed, or one is in progress. For commands that show the state as it is. */
export async function noteUnsettled(
  location: StackLocation,
  cli: PulumiCli,
  options: StackWords,
  io: Port,
): Promise<void> {
  if (await isUnsettled(location, cli))
    note(
      io,
      `A run was interrupted, and the state is incomplete: "${formatNextCommand(["preview"], options)}" completes it.`,
    );
  const found = await findLock(location, cli.env);
  if (typeof found !== "object" || found.runs === false) return;
  note(
    io,
    `The state of stack ${location.stack} is incomplete, because ${formatLocked(formatOwner(found.lock))}.`,
  );
}

/** Forgets what killed runs have left about an object. @returns the number of operations */
export async function forgetCreation(location: StackLocation, cli: PulumiCli, name: string): Promise<number> {
  const journal = await openJournalOf(location, cli.env);
  const { creations, changes } = await journal.interrupted(createUrnBuilder(location));
  const about = [...creations, ...changes].filter(({ urn }) => parseLogicalName(urn) === name);
  for (const { intent } of about) await intent.forget();
  await journal.removeDone();
  return about.length;
}

function createUrnBuilder({ project, stack }: StackLocation): string {
  return `urn:pulumi:${stack}::${project}::`;
}

interface Resolved {
  readonly state: State;
  readonly isChanged: boolean;
  /** Intents that are settled once the state is written. */
  readonly settled: readonly Intent[];
  readonly found: number;
  readonly operations: number;
  /** Why it is unknown whether an object was created, and the ids of objects that may be the created ones, by URN. */
  readonly unknown: ReadonlyMap<string, string>;
  readonly doubts: ReadonlyMap<string, string>;
  /** Created objects that refer to one of these. Without it in the state, the engine would replace them. */
  readonly waiting: ReadonlySet<string>;
}

/** Finds out what became of each creation. */
async function resolve(
  { deployment, ...rest }: State,
  { creations }: Begun,
  journal: RunJournal,
  { connection }: RecoveryTarget,
  io: Port,
): Promise<Resolved> {
  const { resources = [], pending_operations: operations = [] } = deployment;
  const known = new Set(resources.map(({ urn, id }) => `${urn} ${id}`));
  const isKnown = ({ urn, intent }: Interrupted) => known.has(`${urn} ${intent.id}`);
  const open = creations.filter((one) => !isKnown(one));
  const pending = operations.filter(({ resource }) => parsePulumiType(resource.type) !== undefined);
  const candidates: { readonly entry: StateEntry; readonly intent?: Intent }[] = [
    ...open.map((one) => ({ entry: createEntry(one), intent: one.intent })),
    ...pending
      .filter(({ type, resource }) => type === "creating" && !open.some(({ urn }) => urn === resource.urn))
      .map(({ resource }) => ({ entry: { ...resource, custom: true } })),
  ];
  const objects = candidates.map(({ entry: { type, inputs = {} }, intent }) => ({
    type: parsePulumiType(type)?.type ?? "",
    inputs,
    ...(intent ? { intent } : {}),
  }));
  const findings = await findUnfinished(connection, journal, objects, describeReading(io));
  const added: StateEntry[] = [];
  const [unknown, doubts] = [new Map<string, string>(), new Map<string, string>()];
  for (const [i, { maybe, unknown: why }] of findings.entries()) {
    const { urn } = candidates[i]!.entry;
    if (maybe !== undefined) doubts.set(urn, maybe);
    else if (why !== undefined) unknown.set(urn, why);
  }
  const begun = new Map(candidates.map(({ entry }) => [entry.urn, entry]));
  const isUnknown = (urn: string) => doubts.has(urn) || unknown.has(urn);
  const isMissing = (urn: string): boolean =>
    isUnknown(urn) || listReferredBy(begun.get(urn)).some(isMissing);
  const waiting = new Set<string>();
  const settled = creations.filter(isKnown).map(({ intent }) => intent);
  for (const [i, { entry, intent }] of candidates.entries()) {
    const found = findings[i]?.found;
    if (found && intent && isMissing(entry.urn)) {
      waiting.add(entry.urn);
      continue;
    }
    if (intent && !isUnknown(entry.urn)) settled.push(intent);
    if (found && !known.has(`${entry.urn} ${found.id}`)) added.push({ ...entry, ...found });
  }
  const others = operations.filter((operation: Pending) => !pending.includes(operation));
  const whole = {
    ...deployment,
    resources: added.length > 0 ? withEntries(resources, added) : resources,
    ...(operations.length > 0 ? { pending_operations: others } : {}),
  };
  const isChanged = added.length > 0 || pending.length > 0;
  const counts = { found: added.length, operations: candidates.length };
  return { state: { ...rest, deployment: whole }, isChanged, settled, ...counts, unknown, doubts, waiting };
}

/** Reads what the run was changing or deleting. @returns whether the state shows it now */
async function readAgain(
  { deployment: { resources = [] } }: State,
  { changes }: Begun,
  { refresh }: RecoveryTarget,
  io: Port,
): Promise<boolean> {
  const begun = new Set(changes.map(({ urn, id }) => `${urn} ${id}`));
  const urns = resources.filter(({ urn, id }) => begun.has(`${urn} ${id}`)).map(({ urn }) => urn);
  if (urns.length === 0) return true;
  try {
    await refresh([...new Set(urns)]);
    return true;
  } catch (error) {
    const objects = formatCount(urns.length, "object");
    note(
      io,
      `A run was interrupted, and ${objects} that it was changing cannot be read: ${(error as Error).message}`,
    );
    return false;
  }
}

function report(
  { found, operations, unknown, doubts, waiting }: Resolved,
  { changes }: Begun,
  options: StackWords,
  io: Port,
): void {
  if (operations + changes.length > 0)
    note(
      io,
      `A run was interrupted: of ${formatCount(operations + changes.length, "operation")} that it had begun, ` +
        `${formatCount(found, "created or adopted object")} ${found === 1 ? "is" : "are"} now in the state` +
        `${changes.length > 0 ? `, and ${formatCount(changes.length, "changed or deleted object")} as the service shows ${changes.length === 1 ? "it" : "them"}` : ""}.` +
        (found + doubts.size + unknown.size === 0
          ? " What it had finished before was in the state already."
          : ""),
    );
  for (const [urn, number] of doubts) note(io, formatDoubt(urn, number, options));
  for (const [urn, why] of unknown) note(io, formatUnknown(urn, why, options));
  if (waiting.size > 0)
    note(io, `Not in the state yet, because of this: ${[...waiting].map(parseLogicalName).join(", ")}.`);
}

function formatDoubt(urn: string, number: string, options: StackWords): string {
  const name = parseLogicalName(urn);
  const destroy = `${options.program === undefined ? "workspacectl" : "pulumi"} destroy`;
  return (
    `The killed run may have created ${name}: number ${number} is the only new one since. That is not certain, because the ` +
    `service does not identify the person: the next "${formatNextCommand(["up"], options)}" finds out, and "${destroy}" does not delete it.`
  );
}

function formatUnknown(urn: string, why: string, options: StackWords): string {
  const name = parseLogicalName(urn);
  const { stack } = options;
  return (
    `It is not known whether the killed run created ${name} (${why}): look for it in the workspace. ` +
    `To remove this message, run "${formatNextCommand(["stack", "repair", "--forget", name], { file: getNamedFile(options), ...(stack && { stack }) })}".`
  );
}

/** Releases the locks of lost processes. @returns the message about any other lock */
async function releaseLockOf(target: RecoveryTarget, io: Port): Promise<string | undefined> {
  const held = await releaseDeadLocks(target, target.cli.env, io);
  return held && formatLocked(formatOwner(held.lock));
}

/** Avoids the CLI, which takes a third of a second. */
async function mayHavePending(target: RecoveryTarget): Promise<boolean> {
  const store = await findStateStore(target, target.cli.env);
  return typeof store === "string" || ((await store.read()) ?? "").includes('"pending_operations"');
}

/** Waits for the process that writes the journal, because its engine releases the lock earlier. @returns the message about its lock */
async function waitForOwner(
  journal: RunJournal,
  target: RecoveryTarget,
  io: Port,
): Promise<string | undefined> {
  if (!journal.besideState) return undefined;
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const owner = await journal.findRunningOwner();
    if (owner === undefined) return undefined;
    const locked = await releaseLockOf(target, io);
    if (locked !== undefined) return locked;
    if (Date.now() > end) throw createStillRunningError(target.stack, owner.pid);
    journal.forget();
    await sleep(100);
  }
}

/** A process that was stopped looks like one that is about to end. */
export function createStillRunningError(stack: string, pid: number): AutomationError {
  return new AutomationError(
    `a run on stack ${stack} has lost its lock, but its process (pid ${pid} on ${hostname()}) still runs; nothing was changed`,
    "run the command again once that process has ended, or end the process: the next command completes what it has begun",
  );
}
