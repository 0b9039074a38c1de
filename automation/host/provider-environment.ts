/** What surrounds the program and the provider of a workspace file while an operation runs. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { Permit } from "../../client/index.js";
import type { PermittedOperations } from "../../provider/adapters/permitted-operations.js";
import type { PlannedArguments } from "../../provider/adapters/planned-arguments.js";
import type { ProviderEnvironment } from "../../provider/adapters/provider-run.js";
import type { Fields, OpenArguments, SharedReadCache } from "../../provider/index.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import { createLineEvent } from "./engine-port.js";
import type { FileProgram } from "./file-program.js";

export interface Attachment {
  /** Environment of the engine and the provider. */
  readonly env: Readonly<Record<string, string>>;
  /** The operation only plans or reads. */
  readonly dry: boolean;
  /** The only operations that may be performed. */
  readonly permitted?: PermittedOperations | undefined;
  /** Receives the arguments of what a preview plans. */
  readonly planned?: PlannedArguments | undefined;
  /** Receives what reports may show of arguments that are secret for the engine. */
  readonly open?: OpenArguments | undefined;
  /** Settles when the engine may work on its state. */
  readonly begin: () => Promise<void>;
  readonly onEvent: (event: EngineEvent) => void;
  /** Read cache of the command. */
  readonly reads: SharedReadCache;
  /** Next to the state; absent where only the user's own is possible. */
  readonly journal?: RunJournal;
  /** The engine still has the lock. */
  readonly permit: Permit;
  /** The objects to which the operation is limited. */
  readonly selection?: SelectedObjects;
  /** Outputs of the stack of a workspace file. */
  readonly outputs: Fields;
}

export function createProviderEnvironment(
  program: FileProgram,
  { env, onEvent, reads, dry, permitted, planned, open, begin, permit }: Attachment,
): ProviderEnvironment {
  return {
    // Two projects of one user may declare the same workspace. The provider's journal distinguishes them by this.
    env: { ...env, PULUMI_NODEJS_PROJECT: program.project },
    print: (line: string) => onEvent(createLineEvent(line)),
    reads,
    dry,
    permitted,
    planned,
    open,
    begin,
    permit,
    connection: program.connection,
    config: (key: string) => program.config(key),
    references: program.references,
  };
}
