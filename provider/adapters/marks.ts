/**
 * Marks of secrets on what goes back to the engine. It does this itself for providers that take values without marks; this one takes
 * them, to know what the author of a file calls a secret.
 */
import { isRecord } from "../../diff/structural-diff.js";
import { asSecret, hasSecret, isSecret } from "../../diff/values.js";
import type { Props } from "./grpc.js";

/** The values, marked wherever the earlier ones are. */
export function markedAs(values: Readonly<Props>, earlier: Readonly<Props>): Props {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, markedLike(value, earlier[name])]),
  );
}

function markedLike(value: unknown, earlier: unknown): unknown {
  if (isSecret(value) || !hasSecret(earlier)) return value;
  if (isSecret(earlier) || !isRecord(value) || !isRecord(earlier)) return asSecret(value);
  return markedAs(value, earlier);
}

/** The names of values that are secret, or hold a secret. */
export function namesOfSecrets(values: Readonly<Props>): string[] {
  return Object.keys(values).filter((name) => hasSecret(values[name]));
}
