/**
 * `ignoreChanges`: paths of properties whose changes are ignored, as Pulumi writes and applies them. Before two values are
 * compared, the ignored parts of one are replaced by those of the other.
 */
import { parsePropertyPath, resetProperty } from "./property-path.js";

/** Returns a value with its ignored parts replaced by those of another version of it. Paths that Pulumi cannot follow change nothing. */
export function withIgnored<T>(value: T, from: unknown, paths: readonly string[]): T {
  const parsed = paths.map((path) => parsePropertyPath(path) ?? []);
  return parsed.reduce((now: unknown, path) => resetProperty(now, from, path).value, value) as T;
}

/** An object of which some properties are ignored. */
export interface NotWatched {
  /** Resource type. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  readonly paths: string[];
}
