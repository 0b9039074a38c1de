/** Says where two services behave differently, according to the profiles of their connections. */
import { listDifferences } from "../../assumptions/profile.js";
import type { ConnectionProfile } from "../../provider/index.js";
import { warn, type Io } from "../terminal/io.js";

interface Side {
  readonly name: string;
  readonly profile: ConnectionProfile | undefined;
}

/** Prints a warning for each finding of `probe --compare`. Without two profiles, nothing is known. */
export function warnOfDifferences(left: Side, right: Side, io: Io): void {
  if (left.profile === undefined || right.profile === undefined) return;
  for (const { left: one, right: other } of listDifferences(left.profile, right.profile))
    warn(
      io,
      `The services behave differently, according to their profiles: ${one} at ${left.name}, and ${other} at ${right.name}.`,
    );
}
