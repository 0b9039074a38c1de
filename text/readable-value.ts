/** Values for people, with words in the place of what has no value to show. */
import { MASK } from "../client/mask.js";
import { isPlain, isSecret, KNOWN_LATER, UNKNOWN } from "../diff/values.js";

/** Replaces secrets and what is not known yet, at any depth. */
export function toReadable(value: unknown): unknown {
  if (isSecret(value)) return MASK;
  if (Array.isArray(value)) return value.map(toReadable);
  if (isPlain(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toReadable(part)]));
  return value === UNKNOWN ? KNOWN_LATER : value;
}
