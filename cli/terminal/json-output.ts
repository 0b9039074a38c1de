/** Separates messages for people from JSON. */
import { createSilentOutput, type Io } from "./io.js";

/** An option of every command that shows a plan or a result. */
export interface JsonOption {
  readonly json?: boolean;
}

/** Selects the stream for messages: stderr next to JSON, else stdout. */
export function redirectForPeople(io: Io, { json }: JsonOption): Io {
  const people = json ? { ...io, stdout: io.stderr } : io;
  if (!io.quiet) return people;
  // The JSON is the result, so a quiet run prints nothing else.
  return { ...people, stdout: createSilentOutput(), results: json ? createSilentOutput() : people.stdout };
}
