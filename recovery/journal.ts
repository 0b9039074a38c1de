/**
 * The journal of a run: its intent before each request that creates or changes an object, and its outcome. After a crash, it tells which
 * objects the run may have created or changed without the state. `run-journal.ts` writes it.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import envPaths from "env-paths";

/** A creation, adoption, change or deletion that may have happened. */
export interface Intent {
  /** Pulumi id of the object; absent when the run ended before the response. */
  readonly id: string | undefined;
  /** Ids of existing objects that do not show their natural key. None of them is the new one. */
  readonly before: readonly string[] | undefined;
  /** Time until which the service may still create the object, where the run abandoned the creation before its response; else 0. */
  readonly mayAppearUntil: number;
  /** Notes that the object was created. Waits until this is stored where only the id finds the object again. */
  made(id: string): Promise<void>;
  /** Notes that the engine has the result. It stores it, unless it is killed. */
  handOver(): void;
  /** Closes the intent: nothing was certainly done, or the state shows it. */
  close(): void;
  /** Closes the intent, and waits until this is stored. */
  forget(): Promise<void>;
}

/** The subject of a creation: an object of a type, in a workspace. */
export interface Subject {
  readonly type: string;
  /** Address of the workspace. */
  readonly address: string;
  /** Hash that is the same in every run (`buildIntentKey`). */
  readonly key: string;
}

export type RecordedObject = Omit<Subject, "key"> & { readonly id: string };

/** An update or a deletion, as the engine identifies the object. */
export interface JournaledChange {
  readonly op: "update" | "delete";
  readonly urn: string;
  readonly id: string;
}

/** Records intents, and finds those of earlier runs. */
export interface Journal {
  /** Whether to adopt any object with the natural key of a declaration: after a crash on a machine whose journal is not available. */
  readonly adoptsExisting: boolean;
  /** Records that an object is about to be created. @throws {Error} when this cannot be stored, so that nothing must be sent */
  intend(subject: Subject, before?: readonly string[], creation?: CreationUnderWay): Promise<Intent>;
  /** Records that an existing object was adopted in place of a creation. @throws {Error} as `intend` */
  adopt(subject: Subject, id: string, creation?: CreationUnderWay): Promise<Intent>;
  /** Records that an object is about to be changed or deleted. @throws {Error} as `intend` */
  change(change: JournaledChange): Promise<Intent>;
  /**
   * The open intent of a run that has ended.
   * @param unsaved whether the state shows that the engine did not store the object. Then the intent may be of a run that seemed to
   * end normally, because an engine that is stopped at once ends its providers in the same way, but saves nothing
   */
  openIntent(subject: Subject, unsaved?: boolean): Promise<Intent | undefined>;
  /** Notes that the state contains an object, since the engine knows its id. */
  known(object: RecordedObject): void;
  /** Whether a recorded creation or the state accounts for the object. */
  accountsFor(object: RecordedObject): Promise<boolean>;
  /** Shows a line to the user. */
  readonly print: (line: string) => void;
}

/** The options with which a program registered an object. */
export interface RegisteredOptions {
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly ignoreChanges?: readonly string[] | undefined;
}

/** A creation, as the engine identifies it. */
export interface Creation {
  readonly urn: string;
  /** Arguments, none of them secret: all of them next to a state, else those by which the object can be found. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Names of the arguments that are secret. */
  readonly secrets: readonly string[];
  readonly options?: RegisteredOptions | undefined;
}

/**
 * The creation in progress, where the engine says its URN. The intents of the creation record it. It is passed on explicitly, because
 * AsyncLocalStorage makes every promise slower with Node.js 20.
 */
export interface CreationUnderWay extends Creation {
  /** Names of the arguments by which the object can be found. */
  readonly finding: ReadonlySet<string>;
  /** Aborts when the engine regards the creation as failed, although the service may still be working on it. */
  readonly abandoned?: AbortSignal;
}

/** A creation that a killed run began. The engine may not know of it. */
export interface Interrupted extends Creation {
  readonly type: string;
  readonly intent: Intent;
}

/** The key of an intent. It is hashed, since it contains names and e-mail addresses. */
export function buildIntentKey(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

const nothing: Intent = {
  id: undefined,
  before: undefined,
  mayAppearUntil: 0,
  made: () => Promise.resolve(),
  handOver: () => {},
  close: () => {},
  forget: () => Promise.resolve(),
};

/** A journal that records nothing. */
export const noJournal: Journal = {
  adoptsExisting: false,
  intend: () => Promise.resolve(nothing),
  adopt: () => Promise.resolve(nothing),
  change: () => Promise.resolve(nothing),
  openIntent: () => Promise.resolve(undefined),
  known: () => {},
  accountsFor: () => Promise.resolve(false),
  print: () => {},
};

export const JOURNAL_VARIABLE = "WORKSPACE_AUTOMATION_JOURNAL";
/** Set to 1: `workspacectl up --adopt-after-crash`. */
export const ADOPT_VARIABLE = "WORKSPACE_AUTOMATION_ADOPT_AFTER_CRASH";
type Env = Readonly<Record<string, string | undefined>>;

/** The folder of the journals of runs whose state is elsewhere. */
export function getJournalFolder(env: Env = process.env): string {
  return env[JOURNAL_VARIABLE] || join(envPaths("workspacectl", { suffix: "" }).log, "creations");
}
