/**
 * Secret marks of values in responses. For providers that accept no marks, the engine adds them itself. This provider accepts marks,
 * because it has to know which values the author of a file marks as secret.
 */
import { isRecord } from "../../diff/structural-diff.js";
import { asSecret, hasSecret, isSecret } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import { listSecretNames, maskArgs } from "../../resources/definition/secrets/mask.js";

/** The property values of an object, in an engine's message. */
export type Props = Record<string, unknown>;

/** Adds the marks of earlier values, and the text of the provider, without which the engine finds no provider for the object. */
export function markLikeEarlier(values: Readonly<Props>, earlier: Readonly<Props>): Props {
  const text = PROVIDER_KEY in earlier ? { [PROVIDER_KEY]: earlier[PROVIDER_KEY] } : {};
  return { ...markAs(values, earlier), ...text };
}

/** Marks what is secret by its type. @param earlier values: what was secret stays secret, even after an outside change */
export function markSecrets(definition: Definition, values: Fields, earlier?: Fields): Props {
  return maskArgs(definition, values, asSecret, earlier && listSecretNames(definition, earlier));
}

/** Marks the values wherever the earlier ones are marked. */
export function markAs(values: Readonly<Props>, earlier: Readonly<Props>): Props {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, markLike(value, earlier[name])]),
  );
}

function markLike(value: unknown, earlier: unknown): unknown {
  if (isSecret(value) || !hasSecret(earlier)) return value;
  if (isSecret(earlier) || !isRecord(value) || !isRecord(earlier)) return asSecret(value);
  return markAs(value, earlier);
}

/** The names of values that are secret or contain a secret. */
export function listNamesOfSecrets(values: Readonly<Props>): string[] {
  return Object.keys(values).filter((name) => hasSecret(values[name]));
}
