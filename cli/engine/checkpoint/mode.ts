/** Decides when a run writes the state: at its end, with a journal until then, or after each step. */
import { note, type Io } from "../../terminal/io.js";
import { pulumiFolder, stateFile } from "../stack/lock-files.js";
import type { OpenStack } from "../stack/open.js";
import { stackSettings } from "../stack/project.js";
import { journalPath } from "./journal-file.js";
import { StepJournal, type JournalTarget } from "./step-journal.js";

export interface CheckpointOption {
  /** When the state is written. Default: at the end, where a journal is possible. */
  readonly checkpoint?: "every" | "journal" | undefined;
}

/** Prints beside a plan why Pulumi will write the whole state after every object. */
export function noteCheckpoint(open: OpenStack, options: CheckpointOption, io: Io): void {
  const target = journalTarget(open, options);
  if (typeof target === "string") noteReason(target, io);
}

/**
 * Opens the journal of a run; undefined when Pulumi writes the state after each step.
 * @param planned the stack of an earlier {@link noteCheckpoint}, whose reason is not repeated
 */
export function openStepJournal(
  open: OpenStack,
  options: CheckpointOption,
  io: Io,
  planned?: OpenStack,
): StepJournal | undefined {
  let target = journalTarget(open, options);
  try {
    if (typeof target === "object") return new StepJournal(target);
  } catch (error) {
    target = `a journal cannot be written beside the state (${(error as Error).message})`;
  }
  const said = planned && journalTarget(planned, options);
  if (target !== undefined && target !== said) noteReason(target, io);
  return undefined;
}

function noteReason(reason: string, io: Io): void {
  note(io, `Pulumi writes the whole state after every object, because ${reason}.`);
}

/** Returns what the journal needs, or why it is impossible; undefined if it is not wanted, or before the stack exists. */
function journalTarget(
  { stack, location, project, name, cli, create }: OpenStack,
  { checkpoint }: CheckpointOption,
): JournalTarget | string | undefined {
  // Pulumi's service keeps a journal of its own.
  if (checkpoint === "every" || /^https?:/.test(location.backendUrl)) return undefined;
  if (stack.withoutJournal !== undefined) return stack.withoutJournal;
  const [folder, file, state] = [pulumiFolder(location), journalPath(location), stateFile(location)];
  const { secretsprovider = "passphrase", encryptionsalt: salt } = stackSettings(project, name);
  if (folder !== undefined && secretsprovider === "passphrase" && create !== undefined) return undefined;
  if (file === undefined || state === undefined) return "the state is not an uncompressed file in a folder";
  if (secretsprovider !== "passphrase" || typeof salt !== "string")
    return "the secrets of the state are not encrypted with a passphrase";
  return { file, stateFile: state, salt, env: cli.env };
}
