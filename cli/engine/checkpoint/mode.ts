/** Decides when the state is written while a run changes objects: after each step, or at the end with a journal until then. */
import { note, type Io } from "../../terminal/io.js";
import { stateFile } from "../stack/lock-files.js";
import type { OpenStack } from "../stack/open.js";
import { stackSettings } from "../stack/project.js";
import { journalPath } from "./journal-file.js";
import { StepJournal } from "./step-journal.js";

export interface CheckpointOption {
  /** When the state is written; after every object by default. */
  readonly checkpoint?: "every" | "journal" | undefined;
}

/** The journal of a run; undefined when Pulumi writes the state after each step. Says so where a journal was asked for. */
export function openStepJournal(
  open: OpenStack,
  { checkpoint }: CheckpointOption,
  io: Io,
): StepJournal | undefined {
  if (checkpoint !== "journal") return undefined;
  const journal = journalOf(open);
  if (typeof journal !== "string") return journal;
  note(io, `Pulumi writes the whole state after every object, because ${journal}.`);
  return undefined;
}

/** The journal, or why there cannot be one. */
function journalOf({ stack, location, project, name, cli }: OpenStack): StepJournal | string {
  const [file, state] = [journalPath(location), stateFile(location)];
  const { secretsprovider = "passphrase", encryptionsalt: salt } = stackSettings(project, name);
  if (stack.withoutJournal !== undefined) return stack.withoutJournal;
  if (file === undefined || state === undefined) return "the state is not a plain file of a file: backend";
  if (secretsprovider !== "passphrase" || typeof salt !== "string")
    return "the secrets of the state are not encrypted with a passphrase";
  try {
    return new StepJournal({ file, stateFile: state, salt, env: cli.env });
  } catch (error) {
    return `a journal cannot be written beside the state (${(error as Error).message})`;
  }
}
