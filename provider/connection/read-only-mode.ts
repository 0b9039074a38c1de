/**
 * Read-only mode, for a run that only compares the workspace with its declaration. Such a run needs more than the engine's
 * events contain: which objects could not be read, and whether two secrets are equal, without showing them. It sets a key
 * by this variable. Its additional information never reaches the state.
 */
import { ServiceError } from "../../client/index.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { hasUnknown } from "../../diff/values.js";
import type { Fields } from "../../resources/definition/definition.js";
import { ProviderError } from "../../resources/errors.js";

/** The key of fingerprints, in hexadecimal. Only for runs that write no state. */
export const READ_ONLY_VARIABLE = "WORKSPACE_AUTOMATION_READ_ONLY_KEY";

/** Property of an object's inputs and outputs in such a run: the packed fingerprints of its arguments, by name. */
export const FINGERPRINTS = "fingerprints";
/** Property of an object's outputs after a read in such a run: why it could not be read. The other outputs are those of the state. */
export const UNREADABLE = "unreadable";

/** Property of an object's outputs after a read in such a run: paths of declared values that were not compared. */
export const NOT_COMPARED = "notCompared";

/** Fingerprints of the state and of the remote object. */
export interface SeenFingerprints {
  readonly applied: Readonly<Record<string, string>>;
  readonly live: Readonly<Record<string, string>>;
}

/** One text for all fingerprints of an object: the engine needs many times the memory for a property each. */
export const packFingerprints = (seen: SeenFingerprints | SeenFingerprints["live"]): string =>
  JSON.stringify(seen);

/** Undefined for an object of a run that has no key. */
export const unpackFingerprints = <T extends SeenFingerprints | SeenFingerprints["live"]>(
  packed: unknown,
): T | undefined => (typeof packed === "string" ? (JSON.parse(packed) as T) : undefined);

export interface ReadOnlyMode {
  /** A fingerprint of each argument. Equal values have equal fingerprints, which reveal nothing without the key. */
  readonly fingerprints: (args: Fields) => Record<string, string>;
  /** @throws {ProviderError} always: a read-only run changes nothing. */
  readonly refuseWrite: () => never;
  /** Why an object could not be read; undefined when the error concerns the whole run. */
  readonly unreadable: (error: unknown) => string | undefined;
}

/** The read-only mode of a run; undefined for a run that manages. */
export function readOnlyModeFrom(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadOnlyMode | undefined {
  const key = env[READ_ONLY_VARIABLE];
  if (key === undefined || key === "") return undefined;
  return {
    fingerprints: (args) =>
      Object.fromEntries(
        Object.entries(args)
          .filter(([, value]) => value !== undefined && value !== null && !hasUnknown(value))
          .map(([name, value]) => [name, fingerprint(key, value)]),
      ),
    refuseWrite() {
      throw new ProviderError(
        "refused",
        `${READ_ONLY_VARIABLE} is set, so this run is read-only`,
        "remove the variable from the environment",
      );
    },
    unreadable: findUnreadable,
  };
}

function findUnreadable(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.code === "other-workspace" ? undefined : error.message;
  if (!(error instanceof ServiceError)) return undefined;
  const everywhere = error.code === "unauthorized" || error.code === "api-disabled";
  return everywhere ? undefined : error.message;
}
