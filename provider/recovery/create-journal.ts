/**
 * The create journal: notes each creation before its request is sent. A create that finds an object of its own name asks here
 * whether an earlier run made it and was killed before the engine had it in its state. `file-journal.ts` keeps it on disk.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { join } from "node:path";
import envPaths from "env-paths";

/** An object that was about to be created, and may have been. */
export interface Intent {
  /** Pulumi id of the object; absent when the run ended before the answer. */
  readonly id: string | undefined;
  /** Objects that were there before and do not show their natural key: none of them is the one that was made. */
  readonly before: readonly string[] | undefined;
  /** The object is there, and this is its id. */
  made(id: string): void;
  /** The answer is with the engine, which has it in its state when the run ends in order. */
  handOver(): void;
  /** There is nothing to be found: it was certainly not made, or the state knows it. */
  close(): void;
}

/** What is about to be created: an object of a type, in a workspace. */
export interface Subject {
  readonly type: string;
  /** Address of the workspace. */
  readonly address: string;
  /** Hash of what makes it the same object in every run (`intentKey`). */
  readonly key: string;
}

/** Where intents are noted and looked up. */
export interface Journal {
  /** Take over whatever has the natural key of a declaration: after a crash on a machine whose journal is not here. */
  readonly adoptsExisting: boolean;
  /** Notes that an object is about to be created. */
  intend(subject: Subject, before?: readonly string[]): Intent;
  /**
   * The open intent of a run that has ended.
   * @param unsaved the state shows that the engine never learned of the object: then also an intent of a run that seemed to
   * end in order, since an engine that is stopped at once ends its providers in the same way, and saves nothing
   */
  openIntent(subject: Subject, unsaved?: boolean): Promise<Intent | undefined>;
  /** The engine asks about an object by its id, so the state knows it. */
  known(object: Omit<Subject, "key"> & { readonly id: string }): void;
  /** Does a recorded creation or the state account for the object? */
  accountsFor(object: Omit<Subject, "key"> & { readonly id: string }): boolean;
}

/** What the engine knows an object by that is being created. */
export interface Creation {
  readonly urn: string;
  /** Arguments by which it can be found again, none of them secret. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
}

/** The creation that is under way, where the engine says its URN: intents that are noted meanwhile tell it. */
export const creationUnderWay = new AsyncLocalStorage<Creation>();

/** A creation that a killed run began, and of which the engine may know nothing. */
export interface Interrupted extends Creation {
  readonly type: string;
  close(): void;
}

/** A key of an intent. Hashed: names and e-mail addresses are nobody's business. */
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

/** Remembers nothing. */
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
