/** The port through which operations report and ask, with the parts that are the business of the command alone. */
import { makeOneLine } from "../text/safe-text.js";
import type { OnProgress } from "../toolchain/index.js";
import type { AutomationEvent, ConfirmationRequest } from "./automation-port.js";
import type { Frames, Progress } from "./progress/tally.js";

/** What an operation needs of the command or the program that runs it. */
export interface Port {
  readonly env: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
  /** Whether a user reads the notes and can answer prompts. */
  readonly interactive: boolean;
  on(event: AutomationEvent): void;
  /** @returns nothing if nobody can be asked */
  ask(question: ConfirmationRequest): Promise<boolean | undefined>;
  /** Asks for a secret, which is not displayed. @returns nothing if nobody can be asked */
  askSecret(question: string): Promise<string | undefined>;
  /** Shows how far an operation is, until it ends. */
  follow<E>(frames: Frames<E>): Promise<Progress<E>>;
  /** Shows how far the installation of Pulumi is. */
  followInstallation(): Promise<OnProgress>;
}

/** Reports a line that explains the operation. */
export function note(port: Port, line: string): void {
  port.on({ type: "note", message: makeOneLine(line) });
}

/** Reports lines that somebody should look at. */
export function warn(port: Port, lines: string): void {
  port.on({ type: "warning", message: lines });
}
