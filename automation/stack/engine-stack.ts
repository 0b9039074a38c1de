/**
 * Runs Pulumi's engine on a stack, with the CLI as a child process. For a workspace file, this process serves the program, the
 * provider and the reader of events over one connection, so that no other Node.js process is started.
 */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { maskTexts } from "../../client/index.js";
import { STACK_TYPE } from "../../components/urn.js";
import type { NotWatched } from "../../diff/ignored-changes.js";
import {
  type Fields,
  FORMER_NAMES_VARIABLE,
  OpenArguments,
  parseRenames,
  type Rename,
  RENAMED_VARIABLE,
  serializeRenames,
  SharedReadCache,
} from "../../provider/index.js";
import { Lease } from "../../recovery/lease.js";
import { OWN_GROUP, startProgram } from "../../trust/start-program.js";
import { type EnginePort, openEnginePort } from "../host/engine-port.js";
import type { FileProgram } from "../host/file-program.js";
import type { NewStack } from "../host/known-plans.js";
import type { Attachment } from "../host/provider-environment.js";
import type { PlannedWrites } from "../plan/planned-writes.js";
import { revealArguments } from "../plan/reveal-arguments.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import type { ExpectedCounts } from "../progress/tally.js";
import { formatRunOrigin, readRunOrigin } from "../run-origin.js";
import { EngineKilledError, waitUnlessAborted } from "./interrupt.js";
import { openLocksOf } from "./locks.js";
import { planKnown } from "./plan-known.js";
import { attachEngine, hideAddress, type PulumiCli, requireLock, runPulumi } from "./pulumi.js";
import type { Deployment, StackLocation } from "./state.js";
import {
  addKey,
  type CheckpointOption,
  openStateJournal,
  secureState,
  settleRun,
  type StateJournal,
} from "./state-journal.js";
import { createStateChangedError, readStateVersion, type StateVersion } from "./state-version.js";

/** Callbacks for an operation while it runs, and the signal that interrupts it. */
interface Watch {
  readonly onEvent?: (event: EngineEvent) => void;
  /** Receives what the CLI writes to standard error. */
  readonly onError?: (text: string) => void;
  /** Interrupts the CLI once for each "abort" event. */
  readonly signal?: AbortSignal;
}

/** The command line of each operation. */
const COMMANDS = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  previewRefresh: ["refresh", "--preview-only"],
  previewDestroy: ["destroy", "--preview-only", "--exclude-protected"],
  destroy: ["destroy", "--yes", "--skip-preview", "--exclude-protected"],
} as const;

/** An operation of the engine on a stack. An update has no preview of its own. */
export interface EngineOperation extends CheckpointOption {
  readonly command: keyof typeof COMMANDS;
  /** Update the state to match the workspace first; a preview only reads the workspace. */
  readonly refresh?: boolean;
  /** Path of Pulumi's own plan: a preview writes it, an update is limited to it. */
  readonly plan?: string | undefined;
  /** URNs that limit the operation to these objects. */
  readonly target?: readonly string[] | undefined;
  /** The objects of the file to which the operation is limited. */
  readonly selection?: SelectedObjects | undefined;
  /** Continue with objects that do not depend on a failed one, so that all problems are reported at once. */
  readonly continueOnError?: boolean;
  /** The state that the plan was made from. On any other, the operation ends before it writes anything. */
  readonly madeFrom?: StateVersion | undefined;
  /** Plan a deletion without the engine where the state alone says what it would plan. */
  readonly fromState?: boolean | undefined;
  /** Plan what Pulumi refuses because an object is protected. Since Pulumi 3.256. */
  readonly ignoreProtect?: boolean;
  /** The plan that is applied: nothing else is. */
  readonly writes?: PlannedWrites | undefined;
  /** Further environment variables of the engine and the provider. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Whether an operation only plans. It changes no settings of the stack, either. */
export function isPreview({ command }: Pick<EngineOperation, "command">): boolean {
  return command.startsWith("preview");
}

/** Whether an operation only reads the objects in the state, and runs no program. */
export function isRefresh({ command }: Pick<EngineOperation, "command">): boolean {
  return command === "refresh" || command === "previewRefresh";
}

/** A state as `pulumi stack export` prints it. */
interface ExportedState {
  readonly version: number;
  readonly deployment: Deployment;
}

export class EngineStack {
  /** Objects whose changes the engine ignores in part. */
  notWatched: readonly NotWatched[] = [];
  /** Outputs that a workspace file registers for the stack. Default: those in the state. */
  outputs: Fields | undefined;
  /** Outputs in the state, as the last operation found them. */
  outputsInState: Fields = {};
  /** How many objects operations will process, as earlier ones and the state say. */
  expected: ExpectedCounts = {};
  /** Settles when the connection has been checked. Pulumi starts a preview meanwhile, and nothing else. */
  ready: Promise<void> = Promise.resolve();
  /** The stack, while it does not exist and has no configuration, so that its first plan needs no engine. */
  unmade: NewStack | undefined;
  /** Throws when the token lacks rights that all objects of a type need, after the service has denied a read. */
  explainDenied: () => Promise<void> = () => Promise.resolve();
  /** Called when an operation has found out that the store of the state creates objects that exist. */
  onOverwriting: () => void = () => undefined;
  /** Where what the last operation did is recorded, as far as it was read back; undefined where Pulumi alone knows. */
  recordedIn: "state" | "journal" | undefined;
  /** Whether the stack has a configuration, or may have one. */
  isConfigured = true;
  /** Outside renames that operations have recognized. Later operations follow them. */
  renames: readonly Rename[];
  /** Former names of projects that objects in the state still have. */
  formerNames: readonly Rename[] = [];

  /**
   * @param program the workspace file; absent for a user's program in the folder of the CLI
   * @param reads read cache that the operations of the command share
   * @param env environment of the engine and the provider
   */
  constructor(
    readonly name: string,
    private readonly cli: PulumiCli,
    readonly program?: FileProgram,
    readonly reads: SharedReadCache = new SharedReadCache(),
    private readonly env: Readonly<Record<string, string>> = cli.env,
  ) {
    this.renames = parseRenames(env);
  }

  /** Where the state is stored; undefined for a temporary one. */
  get location(): StackLocation | undefined {
    return this.cli.location;
  }

  /** Whether a program declares the objects, so that other providers may execute steps. */
  get isOfProgram(): boolean {
    return this.program === undefined;
  }

  /** Adds to what is expected of later operations. */
  expect(counts: ExpectedCounts): void {
    this.expected = { ...this.expected, ...counts };
  }

  /** Masks the file's secrets, and those of the state's address, in a message. Only the file reveals that a value in the service's error is a secret. */
  hide(message: string): string {
    return maskTexts(hideAddress(message, this.cli.env), this.program?.secrets ?? []);
  }

  /** Exports the state with decrypted secrets. */
  async exportStack(): Promise<ExportedState> {
    const text = await runPulumi(this.cli, ["stack", "export", "--show-secrets", "--stack", this.name]);
    return JSON.parse(text) as ExportedState;
  }

  /** Identifies the present state. Read it before the plan that is made from it. */
  readVersion(): Promise<StateVersion> {
    return readStateVersion(this.cli, this.name);
  }

  /** @throws {AutomationError} when the state is not the one that the plan was made from */
  private async requireVersion(madeFrom: StateVersion | undefined): Promise<void> {
    if (madeFrom !== undefined && (await this.readVersion()) !== madeFrom)
      throw createStateChangedError(this.name);
  }

  async importStack(state: ExportedState): Promise<void> {
    await runPulumi(this.cli, ["stack", "import", "--stack", this.name], JSON.stringify(state));
  }

  /** The journal next to the state; undefined for a program, and where none is possible. */
  private async stateJournal(): Promise<StateJournal | undefined> {
    if (this.program === undefined || this.location === undefined) return undefined;
    const opened = await openStateJournal(this.location, this.env);
    return typeof opened === "string" ? undefined : opened;
  }

  /** @throws {Error} with the CLI's output when it fails */
  async run(operation: EngineOperation, { onEvent, onError, signal }: Watch = {}): Promise<void> {
    const { command, selection, checkpoint } = operation;
    const env = this.buildEnvironment(operation);
    const onlyPlans = isPreview(operation);
    const isChange = !onlyPlans && command !== "refresh";
    if (!onlyPlans) await waitUnlessAborted(this.ready, signal);
    signal?.throwIfAborted();
    const secured = onlyPlans ? undefined : await this.stateJournal();
    if (secured && isChange) secureState(secured);
    this.recordedIn = undefined;
    // A preview does not lock the stack.
    const locks =
      onlyPlans || this.location === undefined ? undefined : await openLocksOf(this.location, this.env);
    let lease: Lease | undefined;
    let begun: Promise<void> | undefined;
    let refusal: Error | undefined;
    const begin = () =>
      (begun ??= this.requireVersion(operation.madeFrom)
        .then(() => secured && addKey(secured, this.cli, this.name))
        .catch((error: unknown) => {
          refusal = error as Error;
          // Other providers of a program do not ask.
          if (this.program === undefined) running.kill("SIGINT");
          throw error;
        }));
    const open = new OpenArguments();
    const receive = (event: EngineEvent) => {
      revealArguments(event, open, {
        hide: (text) => maskTexts(text, this.program?.secrets ?? []),
        refreshing: isRefresh(operation),
      });
      const { type, old } = event.resOutputsEvent?.metadata ?? {};
      if (type === STACK_TYPE && old) this.outputsInState = old.outputs;
      // The engine has the lock by now.
      void lease?.ensure()?.catch(() => undefined);
      begin().catch(() => undefined);
      onEvent?.(event);
    };
    const attachment: Attachment = {
      env,
      dry: !isChange,
      permitted: onlyPlans ? undefined : operation.writes?.permit(),
      open,
      planned: onlyPlans ? operation.writes?.args : undefined,
      begin,
      onEvent: receive,
      permit: {
        ensure: () => lease?.ensure(),
        get isCertain() {
          return lease?.isCertain ?? true;
        },
      },
      reads: this.reads,
      ...(secured && isChange ? { journal: secured.journal } : {}),
      ...(selection ? { selection } : {}),
      outputs: this.outputs ?? this.outputsInState,
    };
    const known = await this.planKnown(operation, attachment, signal);
    signal?.throwIfAborted();
    if (known !== undefined) {
      await waitUnlessAborted(this.ready, signal);
      for (const event of known) receive(event);
      this.reads.used();
      return;
    }
    const port = await openEnginePort({
      env,
      engine: this.program?.engine,
      // A refresh changes no object, so there is nothing to record.
      writesStateAtEnd: secured !== undefined && checkpoint !== "every",
      waitsForJournal: isChange && secured?.journal.isRemote === true,
      onEvent: receive,
    });
    let close: ((orderly: boolean) => void) | undefined;
    let exited = false;
    // Pulumi's history names them.
    const message = onlyPlans ? "" : formatRunOrigin(readRunOrigin(this.env));
    const words = [...listWords(operation), ...(message === "" ? [] : ["--message", message])];
    const running = this.start(words, port);
    try {
      if (locks && running.pid !== undefined)
        lease = new Lease(locks, attachEngine(running, running.pid), undefined, () => this.onOverwriting());
      running.stderr.on("data", (text: Buffer) => onError?.(text.toString()));
      signal?.addEventListener("abort", () => running.kill("SIGINT"));
      const { attach } = await import("../host/attached.js");
      close = await attach(port, { ...attachment, ...(this.program ? { program: this.program } : {}) });
      await waitUnlessAborted(this.ready, signal);
      if (running.pid !== undefined) port.started(running.pid);
      const { exitCode, failed, stderr } = await running;
      exited = exitCode !== undefined;
      if (!onlyPlans) this.cli.folder?.saveStack(this.name);
      const released = lease?.end();
      if (secured && isChange) this.recordedIn = exited ? await settleRun(secured) : "journal";
      await released;
      requireLock(lease);
      if (refusal !== undefined) throw refusal;
      if (failed)
        throw exited
          ? new Error(stderr || `pulumi ${COMMANDS[command][0]} ended with exit code ${exitCode}`)
          : new EngineKilledError(`pulumi ${COMMANDS[command][0]} was ended by a signal`);
      if (this.recordedIn === "journal") throw new Error("the state does not contain all that was done");
    } finally {
      port.server.close();
      close?.(exited);
      // Pulumi still waits for its program where that was not served.
      if (!exited) running.kill("SIGINT");
      await running;
      this.reads.used();
      // The provider of a user's program runs in another process, and may have changed the workspace.
      if (this.program === undefined) this.reads.forget();
    }
  }

  private planKnown(operation: EngineOperation, attachment: Attachment, signal: AbortSignal | undefined) {
    const { name: stack, cli, program, unmade, isConfigured, outputs } = this;
    const renames = [...this.renames, ...this.formerNames];
    const ready = () => waitUnlessAborted(this.ready, signal);
    const facts = { stack, cli, program, unmade, isConfigured, renames, outputs, ready };
    return waitUnlessAborted(planKnown(facts, operation, attachment), signal);
  }

  private buildEnvironment({
    variables,
    writes,
    command,
  }: EngineOperation): Readonly<Record<string, string>> {
    const known = { [RENAMED_VARIABLE]: this.renames, [FORMER_NAMES_VARIABLE]: this.formerNames };
    const renames = Object.entries(known).flatMap(([variable, all]) =>
      all.length > 0 ? [[variable, serializeRenames(all)]] : [],
    );
    const isElsewhere = this.program === undefined;
    const permitted = !isElsewhere
      ? {}
      : isPreview({ command })
        ? writes?.planElsewhere()
        : writes?.permitElsewhere();
    const added = Object.fromEntries(renames) as Record<string, string>;
    return { ...this.env, ...added, ...permitted, ...variables };
  }

  private start(args: readonly string[], { flags, variables }: EnginePort) {
    const words = [...args, ...flags, "--stack", this.name, "--non-interactive"];
    const place = { cwd: this.cli.cwd, env: { PULUMI_DEBUG_COMMANDS: "true", ...variables } };
    return startProgram(this.cli.command, words, place, {
      stdin: "ignore",
      stdout: "ignore",
      buffer: { stderr: true },
      forceKillAfterDelay: false,
      ...OWN_GROUP,
    });
  }
}

function listWords({
  command,
  refresh,
  plan,
  target,
  selection,
  continueOnError,
  ignoreProtect,
}: EngineOperation): string[] {
  return [
    ...COMMANDS[command],
    ...(refresh ? ["--refresh"] : []),
    ...(target ?? selection?.targets ?? []).flatMap((urn) => ["--target", urn]),
    ...(continueOnError ? ["--continue-on-error"] : []),
    ...(ignoreProtect ? ["--ignore-protect"] : []),
    ...(plan === undefined ? [] : [command === "preview" ? "--save-plan" : "--plan", plan]),
  ];
}
