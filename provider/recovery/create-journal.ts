/**
 * The create journal. It records each creation before its request is sent. When a later creation finds an existing object, the
 * journal says whether an earlier run created it and was killed before the engine stored it. `file-journal.ts` writes it to disk.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { join } from "node:path";
import envPaths from "env-paths";

/** A creation that may have happened. */
export interface Intent {
  /** Pulumi id of the object; absent when the run ended before the response. */
  readonly id: string | undefined;
  /** Ids of existing objects that do not show their natural key. None of them is the new one. */
  readonly before: readonly string[] | undefined;
  /** Notes that the object was created. */
  made(id: string): void;
  /** Notes that the engine has the result. It stores it, unless it is killed. */
  handOver(): void;
  /** Closes the intent: the object was certainly not created, or the state contains it. */
  close(): void;
}

/** The subject of a creation: an object of a type, in a workspace. */
export interface Subject {
  readonly type: string;
  /** Address of the workspace. */
  readonly address: string;
  /** Hash that is the same in every run (`intentKey`). */
  readonly key: string;
}

/** Records intents, and finds those of earlier runs. */
export interface Journal {
  /** Whether to adopt any object with the natural key of a declaration: after a crash on a machine whose journal is not available. */
  readonly adoptsExisting: boolean;
  /** Records that an object is about to be created. */
  intend(subject: Subject, before?: readonly string[]): Intent;
  /**
   * The open intent of a run that has ended.
   * @param unsaved whether the state shows that the engine did not store the object. Then the intent may be of a run that seemed to
   * end normally, because an engine that is stopped at once ends its providers in the same way, but saves nothing
   */
  openIntent(subject: Subject, unsaved?: boolean): Promise<Intent | undefined>;
  /** Notes that the state contains an object, since the engine knows its id. */
  known(object: Omit<Subject, "key"> & { readonly id: string }): void;
  /** Whether a recorded creation or the state accounts for the object. */
  accountsFor(object: Omit<Subject, "key"> & { readonly id: string }): boolean;
}

/** A creation, as the engine identifies it. */
export interface Creation {
  readonly urn: string;
  /** Arguments by which the object can be found, none of them secret. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
}

/** The creation in progress, where the engine says its URN. The intents of the creation record it. */
export const creationUnderWay = new AsyncLocalStorage<Creation>();

/** A creation that a killed run began. The engine may not know of it. */
export interface Interrupted extends Creation {
  readonly type: string;
  /** Pulumi id of the object; absent when the run ended before the response. */
  readonly id: string | undefined;
  close(): void;
}

/** The key of an intent. It is hashed, since it contains names and e-mail addresses. */
export function intentKey(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

const nothing: Intent = {
  id: undefined,
  before: undefined,
  made: () => {},
  handOver: () => {},
  close: () => {},
};

/** A journal that records nothing. */
export const noJournal: Journal = {
  adoptsExisting: false,
  intend: () => nothing,
  openIntent: () => Promise.resolve(undefined),
  known: () => {},
  accountsFor: () => false,
};

export const JOURNAL_VARIABLE = "WORKSPACE_AUTOMATION_JOURNAL";
/** Set to 1: `workspacectl up --adopt-after-crash`. */
export const ADOPT_VARIABLE = "WORKSPACE_AUTOMATION_ADOPT_AFTER_CRASH";
type Env = Readonly<Record<string, string | undefined>>;

/** The folder of the journal's files. */
export function journalFolder(env: Env = process.env): string {
  return env[JOURNAL_VARIABLE] || join(envPaths("workspacectl", { suffix: "" }).log, "creations");
}
