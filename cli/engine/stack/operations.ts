/** Runs the engine's operations on an open stack, records them, and reports all problems in one error. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { EngineStack, Watch } from "./engine-stack.js";
import { formatCount } from "../../../diff/format-count.js";
import { readRequestCounter } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { problemText } from "../plan/problem-text.js";
import { notSelectedIn, type SelectedObjects } from "../plan/selection.js";
import { Recorder, type PlanStep, type RecordedPlan } from "../plan/steps.js";
import { expectedOf, expectOf } from "../progress/expected.js";
import type { PlanPicture } from "../progress/frame.js";
import { startProgress } from "../progress/view.js";
import { withInterrupts } from "./interrupt.js";
import type { CheckpointOption } from "./journal.js";
import { explainPulumi } from "./pulumi.js";

/** What an operation reported, and how long it took. */
export interface OperationResult extends RecordedPlan {
  readonly milliseconds: number;
}

/** Options of a preview or an update. */
export interface PreviewStackOptions {
  /** Path of Pulumi's own plan: a preview writes it, an update is limited to it. */
  readonly plan?: string | undefined;
  /** URNs that limit the operation to these objects. */
  readonly target?: readonly string[] | undefined;
  /** The objects of the file to which the operation is limited. */
  readonly selection?: SelectedObjects | undefined;
  /** File of the command's request counter, in which the provider reports what it adopted instead of creating it. */
  readonly requestCounter?: string;
  /** Logical names of objects that the update adopts. */
  readonly adopting?: ReadonlySet<string>;
  /** Receives every event of a preview, too. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Receives the ids of the objects that an update reports, also if it fails. */
  readonly ids?: Map<string, string>;
  /** Continue with objects that do not depend on a failed one, so that all problems are reported at once. */
  readonly continueOnError?: boolean;
  /** Report the deletion of a protected object as a problem instead of failing. */
  readonly tolerant?: boolean;
  /** Shows the objects of an update while they change. */
  readonly view?: PlanPicture | undefined;
  /** When an update writes the state. */
  readonly checkpoint?: CheckpointOption["checkpoint"];
}

/** Plans what `up` would do; with `refresh`, also finds changes made outside. Writes nothing. */
export async function previewStack(
  stack: EngineStack,
  refresh: boolean,
  io: Io,
  { plan, selection, onEvent, tolerant }: PreviewStackOptions = {},
): Promise<OperationResult> {
  const recorder = new Recorder();
  recorder.leftOut = urnsOutside(selection);
  const began = Date.now();
  try {
    return await observe(io, recorder, { stack, dry: true }, (watch) =>
      stack.preview({
        ...watch,
        onEvent(event) {
          onEvent?.(event);
          watch.onEvent(event);
        },
        refresh,
        ...(plan === undefined ? {} : { plan }),
        ...(selection ? { selection } : {}),
      }),
    );
  } catch (error) {
    const { problems } = recorder.recorded;
    const alone = selection === undefined ? undefined : notSelectedIn(problems);
    if (alone !== undefined) throw alone;
    const harmless = tolerant && problems.every(({ message }) => PROTECTED.test(message));
    if (problems.length === 0 || !harmless) throw error;
    return { ...recorder.recorded, milliseconds: Date.now() - began };
  }
}

/** Pulumi's error for a protected object; the group is the object's URN. */
export const PROTECTED = /resource "?([^"\n]+)"? cannot be deleted\s+because it is protected\b/;

export function upStack(
  stack: EngineStack,
  refresh: boolean,
  onStep: (step: PlanStep) => void,
  io: Io,
  {
    plan,
    target,
    selection,
    ids,
    requestCounter,
    adopting,
    checkpoint,
    view,
    continueOnError = false,
  }: PreviewStackOptions = {},
): Promise<OperationResult> {
  const keepTo = {
    checkpoint,
    ...(continueOnError ? { continueOnError } : {}),
    ...(plan === undefined ? {} : { plan }),
    ...(target ? { target } : {}),
    ...(selection ? { selection } : {}),
  };
  const recorder = new Recorder(
    false,
    onStep,
    requestCounter === undefined ? undefined : adoptionsIn(requestCounter),
  );
  recorder.leftOut = urnsOutside(selection);
  if (ids) recorder.ids = ids;
  return observe(io, recorder, { stack, view, ...(adopting ? { adopting } : {}) }, (watch) =>
    stack.up({ ...watch, ...keepTo, refresh }),
  );
}

function urnsOutside(selection: SelectedObjects | undefined): ReadonlySet<string> {
  return new Set(selection?.outside.map(({ urn }) => urn));
}

/** Reads the provider's reports up to now. They precede the engine's event for the same object. */
function adoptionsIn(requestCounter: string): (type: string, id: string) => boolean {
  const known = new Set<string>();
  let read = readRequestCounter(requestCounter).end;
  return (type, id) => {
    const { adopted, end } = readRequestCounter(requestCounter, read);
    read = end;
    for (const one of adopted) known.add(one.join(" "));
    return known.has(`${type} ${id}`);
  };
}

/** Updates the state to match the workspace. */
export function refreshStack(
  stack: EngineStack,
  io: Io,
  selection?: SelectedObjects,
): Promise<OperationResult> {
  return observe(io, new Recorder(true), { stack, reads: true }, (watch) =>
    stack.refresh({ ...watch, ...(selection ? { selection } : {}) }),
  );
}

/** Plans what `destroyStack` would delete. */
export function previewDestroy(stack: EngineStack, io: Io): Promise<OperationResult> {
  return observe(io, new Recorder(), { stack, dry: true }, (watch) =>
    stack.destroy({ ...watch, previewOnly: true, excludeProtected: true }),
  );
}

export function destroyStack(
  stack: EngineStack,
  {
    view,
    ...options
  }: { readonly excludeProtected: boolean } & CheckpointOption & Pick<PreviewStackOptions, "view">,
  io: Io,
): Promise<OperationResult> {
  return observe(io, new Recorder(), { stack, view }, (watch) => stack.destroy({ ...watch, ...options }));
}

/** Whether an operation changes objects, only compares them (`dry`), or only reads them. */
interface Kind {
  readonly stack: EngineStack;
  readonly dry?: boolean;
  readonly reads?: boolean;
  readonly view?: PlanPicture | undefined;
  readonly adopting?: ReadonlySet<string>;
}

async function observe(
  io: Io,
  recorder: Recorder,
  { stack, view, ...kind }: Kind,
  work: (watch: Required<Watch>) => Promise<unknown>,
): Promise<OperationResult> {
  const began = Date.now();
  const progress = await startProgress(io, { ...kind, view, expected: expectedOf(stack) });
  let errorOutput = "";
  const { onEvent } = recorder;
  recorder.notWatched = stack.notWatched;
  recorder.hide = (message) => stack.hide(message);
  const onError = (text: string) => (errorOutput += text);
  try {
    await withInterrupts(io, ({ signal, onEngineEvent }) => {
      const forward = (event: EngineEvent) => {
        onEngineEvent(event);
        progress.onEvent(event);
        onEvent(event);
      };
      return work({ onEvent: forward, onError, signal });
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw failed(
      new Error(recorder.hide((error as Error).message)),
      recorder.recorded,
      recorder.hide(errorOutput),
      { ...kind, recordedIn: stack.recordedIn },
    );
  } finally {
    progress.end();
  }
  const { recorded } = recorder;
  if (kind.dry) expectOf(stack, { changing: recorded.steps.length });
  return { ...recorded, milliseconds: Date.now() - began };
}

/** Prefers the engine's diagnostics; without any, explains what the CLI wrote to stderr. */
function failed(
  error: Error,
  { problems, steps }: RecordedPlan,
  errorOutput: string,
  { dry, recordedIn }: Omit<Kind, "stack" | "view"> & Pick<EngineStack, "recordedIn">,
): CliError {
  const explained = [errorOutput, error.message].map(explainPulumi).find(({ message }) => message !== "");
  // The message of each object contains its remedy.
  const text = problemText(problems);
  const { message, remedy } =
    text === "" ? (explained ?? WITHOUT_EXPLANATION) : { message: text, remedy: text };
  if (steps.length === 0 || dry) return new CliError(message, remedy, { cause: error });
  const where = whereIs(formatCount(steps.length, "object"), recordedIn);
  const goesOn = recordedIn === "journal" ? ", which completes the state" : "";
  return new CliError(`${message}\n${where}`, `fix this and run the command again${goesOn}`, {
    cause: error,
  });
}

const WITHOUT_EXPLANATION = {
  message: "Pulumi failed without an explanation",
  remedy: '"workspacectl doctor" checks its installation',
};

/** Says where what was done is recorded. */
function whereIs(count: string, recordedIn: EngineStack["recordedIn"]): string {
  if (recordedIn === "state") return `What was done before (${count}) is in the state`;
  if (recordedIn === undefined) return `Something was done before (${count})`;
  return `What was done before (${count}) is in the journal beside the state, which does not contain all of it`;
}
