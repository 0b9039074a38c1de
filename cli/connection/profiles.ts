/** Says where two services behave differently, according to the profiles of their connections. */
import { behaviorSchema } from "../../assumptions/behavior.js";
import type { ConnectionProfile } from "../../provider/index.js";
import { note, type Io } from "../terminal/io.js";

interface Side {
  readonly name: string;
  readonly profile: ConnectionProfile | undefined;
}

/** Prints a warning for each behavior in which the two services differ. Without two profiles, nothing is known. */
export function warnOfDifferences(left: Side, right: Side, io: Io): void {
  const [one, other] = [left.profile?.behavior, right.profile?.behavior];
  if (one === undefined || other === undefined) return;
  for (const name of behaviorSchema.keyof().options) {
    const values = [one[name], other[name]];
    if (values.includes(undefined) || values[0] === values[1]) continue;
    note(
      io,
      `warning: the services behave differently, according to their profiles: ${name} is ${String(values[0])} at ${left.name}, and ${String(values[1])} at ${right.name}`,
    );
  }
}
