/**
 * Completes the state of a stack after a killed run that kept a journal. Every command does so before it works on the stack, also one
 * that only reads: without it, the state does not say what is managed.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { CliError } from "../../errors.js";
import { note, type Io } from "../../terminal/io.js";
import { writeFileAtomically } from "../../terminal/write-file.js";
import { stateFile, type StackLocation } from "../stack/lock-files.js";
import { processHasEnded } from "../stack/process-owner.js";
import { lockStack, releaseDeadLocks } from "../stack/locks.js";
import { journalPath, readJournal, type Header, type JournalContent } from "./journal-file.js";
import { replayed, type State } from "./replay.js";
import { digest } from "./step-journal.js";

/** Time in which a run ends whose engine has released the lock. */
const PATIENCE_MS = 10_000;

/** The file of a state, as Pulumi writes it. */
interface StateFile {
  readonly checkpoint: { readonly latest?: State["deployment"] };
}

/** Whether the state lacks what a killed run has done. */
export function isUnsettled(location: StackLocation): boolean {
  const file = journalPath(location);
  return file !== undefined && existsSync(file);
}

/**
 * Puts into the state what the run has done. What it was only about to create stays in the journal for `recoverStack`, which asks the
 * service. Does nothing without a journal, and while another run is using the stack.
 */
export async function settleJournal(location: StackLocation, io: Io): Promise<void> {
  const file = journalPath(location);
  if (file === undefined || !existsSync(file)) return;
  if (!releaseDeadLocks(location, io)) {
    await waitForOwner(file);
    // Another command may be settling it at this moment.
    const unlock = lockStack(location);
    if (unlock !== undefined)
      try {
        return await settle(file, location, io);
      } finally {
        unlock();
      }
  }
  note(io, "Another run is using this stack: the state will show what that has done once it has ended.");
}

async function settle(file: string, location: StackLocation, io: Io): Promise<void> {
  const journal = existsSync(file) ? readJournal(file) : undefined;
  // A kill has cut off the first line, and nothing was begun before it was there.
  if (journal === undefined) return rmSync(file, { force: true });
  const stateAt = stateFile(location);
  if (stateAt === undefined)
    throw new CliError(
      `a run with a journal was killed (${file}), and the state is no longer a plain file that it can complete: bring back the state ` +
        "file of that run, or delete the journal to continue without it",
    );
  const before = readFileSync(stateAt, "utf8");
  const isOfRun = digest(before) === journal.header.state;
  const after = isOfRun ? await complete(before, stateAt, journal, io) : before;
  // From here on, a kill costs nothing: the journal is compared with the state that is written now.
  await keepUnfinished(file, after, journal);
}

/** Writes the state as the engine would have. @returns its text */
async function complete(
  text: string,
  stateAt: string,
  { header, lines }: JournalContent,
  io: Io,
): Promise<string> {
  if (lines.every(({ op }) => op === "creating" || op === "failed")) return text;
  const state = JSON.parse(text) as StateFile;
  const { state: completed, counts } = replayed(deploymentIn(state), header, lines);
  const checkpoint = { ...state.checkpoint, latest: completed.deployment };
  const whole = JSON.stringify({ ...state, checkpoint });
  await writeFileAtomically(stateAt, whole);
  // It has the checksum of the earlier text. Pulumi does not need it.
  rmSync(`${stateAt}.attrs`, { force: true });
  const { created, updated, deleted } = counts;
  note(
    io,
    "A run was killed before Pulumi saved the state: what it had done " +
      `(${created} created, ${updated} changed, ${deleted} deleted) is now in the state.`,
  );
  return whole;
}

/**
 * Leaves in the journal the creations of which the state knows nothing. Where another tool has written the state since, that may be all
 * of them: only the service then knows which objects are still there.
 */
async function keepUnfinished(file: string, text: string, { header, lines }: JournalContent): Promise<void> {
  const { deployment } = deploymentIn(JSON.parse(text) as StateFile);
  const known = new Set(deployment.resources?.map(({ urn }) => urn));
  const { state: made, pending } = replayed({ deployment: {} }, header, lines);
  const missing = (made.deployment.resources ?? []).filter(({ urn }) => !known.has(urn));
  const unfinished = new Set([...pending, ...missing].map(({ urn }) => urn));
  const secrets = deployment.secrets_providers as { state?: { salt?: string } } | undefined;
  // Values that are encrypted with another passphrase cannot be put into the state.
  const isReadable = (secrets?.state?.salt ?? header.salt) === header.salt;
  const rest = lines.filter(({ op, urn }) => op === "creating" && isReadable && unfinished.has(urn));
  if (rest.length === 0) return rmSync(file, { force: true });
  const left: Header = { ...header, state: digest(text) };
  await writeFileAtomically(file, [left, ...rest].map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function deploymentIn({ checkpoint }: StateFile): State {
  return { deployment: checkpoint.latest ?? {} };
}

/** A state with what a killed run was about to create, and how to forget that once it is settled. */
export function withUnfinished(state: State, location: StackLocation): { state: State; forget: () => void } {
  const file = journalPath(location);
  const journal = file !== undefined && existsSync(file) ? readJournal(file) : undefined;
  if (file === undefined || journal === undefined) return { state, forget: () => {} };
  const { state: whole, pending } = replayed(state, journal.header, journal.lines);
  const operations = pending.map((resource) => ({ type: "creating", resource }));
  const deployment = {
    ...whole.deployment,
    pending_operations: [...(whole.deployment.pending_operations ?? []), ...operations],
  };
  return { state: { ...state, deployment }, forget: () => rmSync(file, { force: true }) };
}

/** Waits for the process that writes the journal: its engine has already released the lock. */
async function waitForOwner(file: string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; existsSync(file); await sleep(100)) {
    const owner = readJournal(file)?.header.owner;
    if (processHasEnded(owner) !== false) return;
    if (Date.now() > end)
      throw new CliError(
        `process ${owner?.pid} is about to end its run on this stack: wait for it, or end it`,
      );
  }
}
