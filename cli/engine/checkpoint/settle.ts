/**
 * Completes the state of a stack after a killed run from its journal. Every command does so first, even one that only reads, because
 * the state does not list all managed objects before.
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
import { sha256 } from "../../digest.js";

/** Time for a run to end after its engine has released the lock. */
const PATIENCE_MS = 10_000;

/** Format of Pulumi's state file. */
interface StateFile {
  readonly checkpoint: { readonly latest?: State["deployment"] };
}

/** Reports whether the state lacks steps of a killed run. */
export function isUnsettled(location: StackLocation): boolean {
  const file = journalPath(location);
  return file !== undefined && existsSync(file);
}

/**
 * Adds the completed steps of the run to the state. Unfinished creations stay in the journal for `recoverStack`, which asks the
 * service. Does nothing without a journal, or while another run uses the stack.
 */
export async function settleJournal(location: StackLocation, io: Io): Promise<void> {
  const file = journalPath(location);
  if (file === undefined || !existsSync(file)) return;
  if (!releaseDeadLocks(location, io)) {
    await waitForOwner(file);
    // Another command may be doing the same.
    const unlock = lockStack(location);
    if (unlock !== undefined)
      try {
        return settle(file, location, io);
      } finally {
        unlock();
      }
  }
  note(io, "Another run is using this stack: the state will show what that has done once it has ended.");
}

function settle(file: string, location: StackLocation, io: Io): void {
  const journal = existsSync(file) ? readJournal(file) : undefined;
  // The kill truncated the header, which is written before the first step.
  if (journal === undefined) return rmSync(file, { force: true });
  const stateAt = stateFile(location);
  if (stateAt === undefined)
    throw new CliError(
      `a run with a journal was killed (${file}), and the state is no longer a plain file that it can complete: bring back the state ` +
        "file of that run, or delete the journal to continue without it",
    );
  const before = readFileSync(stateAt, "utf8");
  const isOfRun = sha256(before) === journal.header.state;
  const after = isOfRun ? complete(before, stateAt, journal, io) : before;
  // A kill is harmless from here on, because the journal is compared with the new state.
  keepUnfinished(file, after, journal);
}

/** Writes the state in the engine's format. @returns its text */
function complete(text: string, stateAt: string, { header, lines }: JournalContent, io: Io): string {
  if (lines.every(({ op }) => op === "creating" || op === "failed")) return text;
  const state = JSON.parse(text) as StateFile;
  const { state: completed, counts } = replayed(deploymentIn(state), header, lines);
  const checkpoint = { ...state.checkpoint, latest: completed.deployment };
  const whole = JSON.stringify({ ...state, checkpoint });
  writeFileAtomically(stateAt, whole, { named: true });
  // Its checksum is that of the former text, and Pulumi does not need it.
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
 * Keeps the creations that the state does not contain in the journal. If another tool has written the state since, these may be all
 * of them, and only the service knows which objects still exist.
 */
function keepUnfinished(file: string, text: string, { header, lines }: JournalContent): void {
  const { deployment } = deploymentIn(JSON.parse(text) as StateFile);
  const known = new Set(deployment.resources?.map(({ urn }) => urn));
  const { state: made, pending } = replayed({ deployment: {} }, header, lines);
  const missing = (made.deployment.resources ?? []).filter(({ urn }) => !known.has(urn));
  const unfinished = new Set([...pending, ...missing].map(({ urn }) => urn));
  const secrets = deployment.secrets_providers as { state?: { salt?: string } } | undefined;
  // The state cannot contain values that are encrypted with another passphrase.
  const isReadable = (secrets?.state?.salt ?? header.salt) === header.salt;
  const rest = lines.filter(({ op, urn }) => op === "creating" && isReadable && unfinished.has(urn));
  if (rest.length === 0) return rmSync(file, { force: true });
  const left: Header = { ...header, state: sha256(text) };
  const journal = [left, ...rest].map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileAtomically(file, journal, { named: true });
}

function deploymentIn({ checkpoint }: StateFile): State {
  return { deployment: checkpoint.latest ?? {} };
}

/** A state with the unfinished creations of a killed run, and a function that forgets them. */
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

/** Waits for the process that writes the journal, because its engine releases the lock earlier. */
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
