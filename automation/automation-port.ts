/** What the operations ask and tell whoever runs them. The command line is one implementation, and a program another. */
import type { UpReport } from "./report-types.js";

/** Something that happens while an operation runs. */
export type AutomationEvent =
  /** A note that explains the operation. */
  | { readonly type: "note"; readonly message: string }
  /** Something that somebody should look at. */
  | { readonly type: "warning"; readonly message: string }
  | ProgressReport
  | CompletedStep;

/** How far an operation is. */
export interface ProgressReport {
  readonly type: "progress";
  readonly phase: "starting" | "reading" | "comparing" | "changing";
  /** Number of objects that are done in this phase. */
  readonly done: number;
  /** Number of objects in this phase, where it is known. */
  readonly total?: number;
  /** Number of objects that failed. */
  readonly failed: number;
  /** When requests that wait for the rate limit go on, ISO 8601 in UTC. */
  readonly waitsUntil?: string;
}

/** An object was created, updated or deleted. */
export interface CompletedStep {
  readonly type: "step";
  readonly operation: string;
  /** Resource type of the object, such as Group. */
  readonly resourceType: string;
  /** Logical name of the object, such as groups/QA. */
  readonly name: string;
}

/** What has to be confirmed before something is changed. */
export interface ConfirmationRequest {
  /** The question of the command, such as `Apply this plan?` */
  readonly message: string;
  /** The command asks for the name of the stack, because what follows cannot be undone. */
  readonly destructive: boolean;
  /** Name of the stack, if the question is about one. */
  readonly stack?: string;
  /** What would be done, if the question is about a plan. */
  readonly plan?: UpReport["plan"];
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What an operation needs of whoever runs it. */
export interface AutomationPort {
  /** Environment variables: connections, the passphrase of a state, and what files read. */
  readonly env: Variables;
  /** Receives what happens. */
  readonly on: (event: AutomationEvent) => void;
  /** Answers questions. Without it, an operation that has to ask fails, and says which option allows it. */
  readonly ask?: ((question: ConfirmationRequest) => boolean | Promise<boolean>) | undefined;
  /** Cancels the operation: what is running is completed and recorded. */
  readonly signal?: AbortSignal | undefined;
}
