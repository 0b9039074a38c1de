/** The operations of the engine on an open stack: run, recorded, and failed with all problems in one error. */
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import type { EngineStack } from "./engine-stack.js";
import { readMeter } from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { problemText } from "../plan/print.js";
import { Recorder, type Step, type Told } from "../plan/steps.js";
import { expectedOf, expectOf } from "../progress/expected.js";
import { startProgress } from "../progress/view.js";
import { withInterrupts } from "./interrupt.js";
import { noteHolder } from "./lock-owners.js";
import { explainPulumi } from "./pulumi.js";

/** What an operation told, and how long it took. */
export interface Outcome extends Told {
  readonly milliseconds: number;
}

interface Watch {
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (text: string) => void;
  readonly onOutput: () => void;
  readonly signal: AbortSignal;
}

/** What goes with a preview or an update. */
export interface PlanOptions {
  /** Path of Pulumi's own plan: written by a preview, kept to by an update. */
  readonly plan?: string | undefined;
  /** Patterns of URNs: only these objects are looked at and worked on. */
  readonly target?: readonly string[] | undefined;
  /** File of the command's meter, in which the provider tells what it took over instead of making it. */
  readonly meter?: string;
  /** Logical names of objects that the update takes over. */
  readonly adopting?: ReadonlySet<string>;
  /** Told of each event too. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** What does not depend on an object that failed is worked on all the same: all that is wrong is told at once. */
  readonly continueOnError?: boolean;
  /** That a protected object would be deleted is no failure, but a problem among what is told. */
  readonly tolerant?: boolean;
}

/** What `up` would do; with `refresh`, what was changed outside too. Writes nothing. */
export async function previewStack(
  stack: EngineStack,
  refresh: boolean,
  io: Io,
  { plan, target, onEvent, tolerant }: PlanOptions = {},
): Promise<Outcome> {
  const recorder = new Recorder();
  const began = Date.now();
  try {
    return await observe(io, recorder, { stack, dry: true }, (watch) =>
      stack.preview({
        ...watch,
        onEvent: both(onEvent, watch.onEvent),
        refresh,
        ...(plan === undefined ? {} : { plan }),
        ...(target === undefined ? {} : { target: [...target] }),
      }),
    );
  } catch (error) {
    const { problems } = recorder.told;
    const harmless = tolerant && problems.every(({ message }) => PROTECTED.test(message));
    if (problems.length === 0 || !harmless) throw error;
    return { ...recorder.told, milliseconds: Date.now() - began };
  }
}

/** What Pulumi says of a deletion that it refuses; the object's URN first. */
export const PROTECTED = /resource "?([^"\n]+)"? cannot be deleted\s+because it is protected\b/;

/**
 * Reads the workspace, and compares it with the state and the program; every event is handed on. Writes nothing. That a
 * protected object may not be deleted is no failure of a comparison: nothing is to be deleted.
 */
export function compareStack(
  stack: EngineStack,
  onEvent: (event: EngineEvent) => void,
  io: Io,
): Promise<Outcome> {
  return previewStack(stack, true, io, { onEvent, tolerant: true });
}

export function upStack(
  stack: EngineStack,
  refresh: boolean,
  onStep: (step: Step) => void,
  io: Io,
  { plan, target, onEvent, meter, adopting, continueOnError = false }: PlanOptions = {},
): Promise<Outcome> {
  const keepTo = {
    ...(continueOnError ? { continueOnError } : {}),
    ...(plan === undefined ? {} : { plan }),
    ...(target === undefined ? {} : { target: [...target] }),
  };
  const recorder = new Recorder(false, onStep, meter === undefined ? undefined : adoptionsIn(meter));
  return observe(io, recorder, { stack, ...(adopting ? { adopting } : {}) }, (watch) =>
    stack.up({ ...watch, ...keepTo, refresh, onEvent: both(onEvent, watch.onEvent) }),
  );
}

/** What the provider has told by then: the engine hears of an object after it. */
function adoptionsIn(meter: string): (type: string, id: string) => boolean {
  const known = new Set<string>();
  let read = readMeter(meter).end;
  return (type, id) => {
    const { adopted, end } = readMeter(meter, read);
    read = end;
    for (const one of adopted) known.add(one.join(" "));
    return known.has(`${type} ${id}`);
  };
}

function both(one: ((event: EngineEvent) => void) | undefined, other: (event: EngineEvent) => void) {
  return (event: EngineEvent) => {
    one?.(event);
    other(event);
  };
}

/** Reads the workspace into the state. */
export function refreshStack(stack: EngineStack, io: Io): Promise<Outcome> {
  return observe(io, new Recorder(true), { stack, reads: true }, (watch) => stack.refresh(watch));
}

/** What `destroyStack` would delete. */
export function previewDestroy(stack: EngineStack, io: Io): Promise<Outcome> {
  return observe(io, new Recorder(), { stack, dry: true }, (watch) =>
    stack.destroy({ ...watch, previewOnly: true, excludeProtected: true }),
  );
}

export function destroyStack(
  stack: EngineStack,
  options: { readonly excludeProtected: boolean },
  onStep: (step: Step) => void,
  io: Io,
): Promise<Outcome> {
  return observe(io, new Recorder(false, onStep), { stack }, (watch) =>
    stack.destroy({ ...watch, ...options }),
  );
}

/** What an operation does with objects: changes them, compares them only (`dry`), or only reads them. */
interface Kind {
  readonly stack: EngineStack;
  readonly dry?: boolean;
  readonly reads?: boolean;
  readonly adopting?: ReadonlySet<string>;
}

async function observe(
  io: Io,
  recorder: Recorder,
  { stack, ...kind }: Kind,
  work: (watch: Watch) => Promise<unknown>,
): Promise<Outcome> {
  const began = Date.now();
  const progress = await startProgress(io, { ...kind, expected: expectedOf(stack) });
  let errorOutput = "";
  const { onEvent } = recorder;
  recorder.hide = (message) => stack.hide(message);
  const onError = (text: string) => (errorOutput += text);
  // A preview takes no lock.
  const holder = kind.dry ? undefined : noteHolder(stack);
  const onOutput = () => holder?.begun();
  try {
    await withInterrupts(io, ({ signal, heard }) => {
      const told = (event: EngineEvent) => {
        onOutput();
        heard(event);
        progress.onEvent(event);
        onEvent(event);
      };
      return work({ onEvent: told, onError, onOutput, signal });
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw failed(
      new Error(recorder.hide((error as Error).message)),
      recorder.told,
      recorder.hide(errorOutput),
      kind,
    );
  } finally {
    progress.end();
    holder?.ended();
  }
  const { told } = recorder;
  if (kind.dry) expectOf(stack, { changing: told.steps.length });
  return { ...told, milliseconds: Date.now() - began };
}

/** The engine's problems say it best; where it had none to tell, its CLI's words on stderr do. */
function failed(
  error: Error,
  { problems, steps }: Told,
  errorOutput: string,
  { dry }: Omit<Kind, "stack">,
): CliError {
  const text =
    problems.length > 0
      ? problemText(problems)
      : explainPulumi(errorOutput) || explainPulumi(error.message) || "Pulumi failed without an explanation";
  const count = `${steps.length} object${steps.length === 1 ? "" : "s"}`;
  const done =
    steps.length > 0 && !dry
      ? `\nWhat was done before (${count}) is in the state: mend this and run the command again`
      : "";
  return new CliError(`${text}${done}`, undefined, { cause: error });
}
