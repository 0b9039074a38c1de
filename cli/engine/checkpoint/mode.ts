/** Decides when the state is written while a run changes objects: at the end with a journal until then, or after each step. */
import { note, type Io } from "../../terminal/io.js";
import { pulumiFolder, stateFile } from "../stack/lock-files.js";
import type { OpenStack } from "../stack/open.js";
import { stackSettings } from "../stack/project.js";
import { journalPath } from "./journal-file.js";
import { StepJournal, type JournalTarget } from "./step-journal.js";

export interface CheckpointOption {
  /** When the state is written. By default with a journal, where there can be one. */
  readonly checkpoint?: "every" | "journal" | undefined;
}

/** Says beside a plan why Pulumi will write the whole state after every object, if it will. */
export function noteCheckpoint(open: OpenStack, options: CheckpointOption, io: Io): void {
  const target = journalTarget(open, options);
  if (typeof target === "string") noteReason(target, io);
}

/**
 * The journal of a run; undefined when Pulumi writes the state after each step.
 * @param planned the stack beside whose plan {@link noteCheckpoint} was called: what that has said is not said again
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

/** What the journal needs, or why there cannot be one; undefined when none is wanted, or the stack does not exist yet. */
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
  if (file === undefined || state === undefined) return "the state is not a plain file of a file: backend";
  if (secretsprovider !== "passphrase" || typeof salt !== "string")
    return "the secrets of the state are not encrypted with a passphrase";
  return { file, stateFile: state, salt, env: cli.env };
}
