/**
 * Looking instead of managing. A run that only compares the workspace with its declaration wants to know more than the
 * engine's events tell: what could not be read (while all else still is), and whether two secrets are the same without
 * being shown them. Such a run gives a key by this variable; nothing that it learns reaches the state.
 */
import { ServiceError } from "../../client/index.js";
import type { Fields } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { hasUnknown } from "../../diff/values.js";

/** Holds the key of fingerprints, in hexadecimal. Set only for runs that write no state. */
export const OBSERVER_VARIABLE = "WORKSPACE_AUTOMATION_OBSERVER_KEY";

/** Property of a declared object's inputs, in such a run: fingerprints of its arguments, by name. */
export const FINGERPRINTS = "fingerprints";
/** Property of a read object's outputs: why it could not be read. What else they say is then the state's. */
export const UNREADABLE = "unreadable";

/** Property of a read object's outputs, in such a run: parts of declared values that nobody compared, as paths. */
export const NOT_COMPARED = "notCompared";

/** The outputs of a read object, in such a run: fingerprints of what the state held and of what is there. */
export interface SeenFingerprints {
  readonly applied: Readonly<Record<string, string>>;
  readonly live: Readonly<Record<string, string>>;
}

export interface ReadOnlyMode {
  /** A fingerprint of each argument: equal values have equal ones, and nobody without the key learns more. */
  readonly fingerprints: (args: Fields) => Record<string, string>;
  /** @throws {ProviderError} always: a run that looks changes nothing, whoever set the variable. */
  readonly refuseWrite: () => never;
  /** Why an object could not be read, when that concerns this object only and not the whole run. */
  readonly unreadable: (error: unknown) => string | undefined;
}

/** What the run is told beyond the usual; undefined when it manages. */
export function readOnlyModeFrom(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadOnlyMode | undefined {
  const key = env[OBSERVER_VARIABLE];
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
        `${OBSERVER_VARIABLE} is set, so this run only looks and writes nothing: take it out of the environment`,
      );
    },
    unreadable,
  };
}

function unreadable(error: unknown): string | undefined {
  if (error instanceof ProviderError) return error.code === "other-workspace" ? undefined : error.message;
  if (!(error instanceof ServiceError)) return undefined;
  const everywhere = error.code === "unauthorized" || error.code === "api-disabled";
  return everywhere ? undefined : error.message;
}
