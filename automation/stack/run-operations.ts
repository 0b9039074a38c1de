/** Runs the engine's operations on an open stack, records them, and reports all problems in one error. Lifts the protection of objects that an operation may delete. */
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { stripControls } from "../../client/printable.js";
import { parseLogicalName } from "../../components/urn.js";
import { formatCount } from "../../diff/format-count.js";
import { readRequestCounter, REQUEST_COUNTER_VARIABLE } from "../../provider/index.js";
import { groupBy } from "../../text/lists.js";
import { AutomationError } from "../errors.js";
import { PlannedWrites } from "../plan/planned-writes.js";
import { type PlanProblem, PlanRecorder, type PlanStep, type RecordedPlan } from "../plan/record-plan.js";
import { createNotSelectedError } from "../plan/selected-objects.js";
import type { Port } from "../port.js";
import { startProgress } from "../progress/frames.js";
import { makeTemporaryFolder } from "../temporary-folders.js";
import { parseResourceType } from "../urn.js";
import { type EngineOperation, type EngineStack, isPreview, isRefresh } from "./engine-stack.js";
import { withInterrupts } from "./interrupt.js";
import { explainPulumi, type PulumiCli, runPulumi } from "./pulumi.js";
import { type Deployment, listObjectsInState } from "./state.js";

/** What an operation reported, and how long it took. */
export interface OperationResult extends RecordedPlan {
  readonly milliseconds: number;
  /** Whether the plan contains what Pulumi refuses, because an object to be replaced is protected. */
  readonly ignoresProtection?: boolean;
  /** What a run of the plan may do. */
  readonly writes: PlannedWrites;
}

/** An operation of the engine, and what its progress and its record depend on. */
export interface RunningOperation extends EngineOperation {
  /** File of the command's request counter, in which the provider reports what it adopted instead of creating it. */
  readonly requestCounter?: string;
  /** Logical names of objects that the operation adopts. */
  readonly adopting?: ReadonlySet<string>;
  /** Receives every event. */
  readonly onEvent?: (event: EngineEvent) => void;
  /** Receives each object as soon as it is completed. */
  readonly onStep?: (step: PlanStep) => void;
  /** Receives the ids of the objects that the operation reports, also if it fails. */
  readonly ids?: Map<string, string>;
  /** Report the planned deletion of a protected object as a problem instead of failing. */
  readonly tolerant?: boolean;
}

/** Runs an operation, shows its progress, and returns what it reported. @throws {AutomationError} with all problems */
export async function runOperation(
  stack: EngineStack,
  operation: RunningOperation,
  io: Port,
): Promise<OperationResult> {
  const { selection, adopting, tolerant } = operation;
  const dry = isPreview(operation);
  const onStep = (step: PlanStep) => {
    operation.onStep?.(step);
    const { operation: done, type: resourceType, name } = step;
    if (!dry) io.on({ type: "step", operation: done, resourceType, name });
  };
  const recorder = createRecorder(stack, { ...operation, onStep });
  const writes = operation.writes ?? new PlannedWrites();
  const began = Date.now();
  const shown = { dry, reads: isRefresh(operation), adopting, expected: stack.expected };
  const progress = await startProgress(io, shown);
  let errorOutput = "";
  let refused: AutomationError | undefined;
  const onError = (text: string) => (errorOutput += text);
  try {
    await withInterrupts(
      io,
      ({ signal, onEngineEvent }) => {
        const onEvent = (event: EngineEvent) => {
          onEngineEvent(event);
          operation.onEvent?.(event);
          progress.onEvent(event);
          recorder.onEvent(event);
          if (dry) writes.onEvent(event);
        };
        return stack.run(dry ? { ...operation, writes } : operation, { onEvent, onError, signal });
      },
      dry,
    );
  } catch (error) {
    if (error instanceof AutomationError) throw error;
    const { problems, steps } = recorder.recorded;
    const alone = dry && selection !== undefined ? createNotSelectedError(problems) : undefined;
    if (alone !== undefined) throw alone;
    const isHarmless = tolerant === true && problems.length > 0 && problems.every(isOfProtection);
    // One reason explains more than the same refusal of each object.
    if (dry && problems.some(({ message }) => DENIED.test(message))) await stack.explainDenied();
    const text = recorder.hide(errorOutput);
    const cause = new Error(recorder.hide((error as Error).message));
    const done = dry ? [] : steps;
    const failure = createOperationError(cause, { problems, steps: done }, text, stack.recordedIn);
    if (!isHarmless) throw failure;
    // The engine plans nothing after an object that it does not replace.
    if (problems.some(({ message }) => REPLACED.test(message))) refused = failure;
  } finally {
    progress.end();
  }
  if (refused !== undefined) return planProtected(stack, operation, io, refused);
  const { recorded } = recorder;
  if (dry) stack.expect({ changing: recorded.steps.length });
  return { ...recorded, writes, milliseconds: Date.now() - began };
}

/** The plan as if nothing were protected. @throws {AutomationError} `refused` where Pulumi is too old for it */
async function planProtected(
  stack: EngineStack,
  operation: RunningOperation,
  io: Port,
  refused: AutomationError,
): Promise<OperationResult> {
  const ignoring = { ...operation, tolerant: false, ignoreProtect: true };
  const result = await runOperation(stack, ignoring, io).catch((error: unknown) => {
    throw error instanceof AutomationError && /unknown flag/.test(error.message) ? refused : error;
  });
  return { ...result, ignoresProtection: true };
}

function createRecorder(stack: EngineStack, operation: RunningOperation): PlanRecorder {
  const { selection, requestCounter, onStep, ids } = operation;
  const isAdopted = requestCounter === undefined ? undefined : collectAdoptions(requestCounter);
  const recorder = new PlanRecorder(isRefresh(operation), onStep, isAdopted);
  recorder.leftOut = new Set(selection?.outside.map(({ urn }) => urn));
  recorder.notWatched = stack.notWatched;
  recorder.hide = (message) => stack.hide(message);
  if (ids) recorder.ids = ids;
  return recorder;
}

/** The service's refusal of a request, as the client reports it. */
const DENIED = /\b403\b/;

/** Reads the provider's reports up to now. They precede the engine's event for the same object. */
function collectAdoptions(requestCounter: string): (type: string, id: string) => boolean {
  const known = new Set<string>();
  let read = readRequestCounter(requestCounter).end;
  return (type, id) => {
    const { adopted, end } = readRequestCounter(requestCounter, read);
    read = end;
    for (const one of adopted) known.add(one.join(" "));
    return known.has(`${type} ${id}`);
  };
}

/**
 * Prefers the engine's diagnostics; without any, explains what the CLI wrote to stderr.
 * @param steps what was done before
 */
function createOperationError(
  error: Error,
  { problems, steps }: Pick<RecordedPlan, "problems" | "steps">,
  errorOutput: string,
  recordedIn: EngineStack["recordedIn"],
): AutomationError {
  const explained = [errorOutput, error.message].map(explainPulumi).find(({ message }) => message !== "");
  // The message of each object contains its remedy.
  const text = formatProblems(problems);
  const { message, remedy, code } =
    text === ""
      ? { code: undefined, ...(explained ?? WITHOUT_EXPLANATION) }
      : { message: text, remedy: text };
  if (steps.length === 0) return new AutomationError(message, remedy, { cause: error, code });
  const where = formatWhereRecorded(formatCount(steps.length, "object"), recordedIn);
  const goesOn = recordedIn === "journal" ? ", which completes the state" : "";
  return new AutomationError(`${message}\n${where}`, `fix this and run the command again${goesOn}`, {
    cause: error,
  });
}

const WITHOUT_EXPLANATION = {
  message: "Pulumi failed without an error message",
  remedy: 'run "workspacectl doctor" to check its installation',
};

/** Says where what was done is recorded. */
function formatWhereRecorded(count: string, recordedIn: EngineStack["recordedIn"]): string {
  if (recordedIn === "state") return `What was done before (${count}) is in the state`;
  if (recordedIn === undefined) return `Something was done before (${count})`;
  return `What was done before (${count}) is in the journal next to the state, and not completely in the state`;
}

/** Returns an Port whose requests are counted in a file, which is removed at the end of the command. */
export function countRequests<P extends Port>(io: P): { readonly io: P; readonly file: string } {
  const before = io.env[REQUEST_COUNTER_VARIABLE];
  if (before) return { io, file: before };
  const file = join(makeTemporaryFolder(), "requests");
  return { io: { ...io, env: { ...io.env, [REQUEST_COUNTER_VARIABLE]: file } }, file };
}

/** Maximum number of objects named for one problem; more than for a group, because they have to be fixed. */
const NAMED_FAILED = 20;

/** Formats all problems of an operation; one shared by many objects appears once. */
export function formatProblems(all: readonly PlanProblem[]): string {
  const causes = all.filter(({ message }) => !FOLLOWING.test(message));
  // Operations of a saved plan that were not reached.
  const [problems, following] = causes.length > 0 ? [causes, all.length - causes.length] : [all, 0];
  const text = formatCauses(problems);
  if (following === 0) return text;
  return `${text}\nFor that reason, ${formatCount(following, "other operation")} of the plan ${following === 1 ? "was" : "were"} not performed.`;
}

/** Pulumi's error for each operation of a saved plan that did not happen. */
const FOLLOWING = /expected resource operations for .* but none were seen/s;

function formatCauses(problems: readonly PlanProblem[]): string {
  const byMessage = groupBy(problems, ({ message }) => message.replace(/ \(object [^)]*\)/, ""));
  const texts = [...byMessage].map(([message, all]) => {
    const of = joinNames(all.flatMap(({ name }) => name ?? []));
    return `${of}${message}`.replaceAll("\n", "\n  ");
  });
  const [only = "", ...others] = texts;
  return others.length === 0 ? only : [`${texts.length} problems:`, ...texts].join("\n  ");
}

function joinNames(names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > NAMED_FAILED ? ` and ${names.length - NAMED_FAILED} more` : "";
  return `${stripControls(names.toSorted().slice(0, NAMED_FAILED).join(", "))}${more}: `;
}

/** Pulumi's error for a protected object; the group is the object's URN. */
const PROTECTED = /resource "?([^"\n]+)"? cannot be deleted\s+because it is protected\b/;

/** Pulumi's error for a protected object that would be replaced, by itself or along with what it is in; the group is its URN. */
const REPLACED = /unable to replace resource "([^"\n]+)"[^]*?\bmarked for protection\b/;

const isOfProtection = ({ message }: PlanProblem) => PROTECTED.test(message) || REPLACED.test(message);

/** An object that Pulumi refused to delete. */
export interface ProtectedObject {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
}

/** The objects that a preview refused to delete. */
export function listProtectedIn(problems: readonly PlanProblem[]): ProtectedObject[] {
  return problems
    .map(({ message }) => PROTECTED.exec(message)?.[1])
    .filter((urn) => urn !== undefined)
    .map((urn) => ({ urn, type: parseResourceType(urn.split("::")[2] ?? ""), name: parseLogicalName(urn) }));
}

/**
 * Sets the protection of objects. It is lifted for those that the user names for deletion, because Pulumi refuses to plan the deletion of
 * protected ones. Changes only the state: the next `up` that declares the objects protects them again.
 */
export async function setProtection(
  cli: PulumiCli,
  stack: string,
  urns: readonly string[],
  on: boolean,
): Promise<void> {
  if (urns.length === 0) return;
  await runPulumi(cli, ["state", on ? "protect" : "unprotect", ...urns, "--yes", "--stack", stack]);
}

/** Protects objects again when they are not deleted after all. Another run may have deleted or protected some of them. */
export async function restoreProtection(
  { cli, name, state }: { cli: PulumiCli; name: string; state: () => Promise<Deployment> },
  urns: readonly string[],
): Promise<void> {
  if (urns.length === 0) return;
  const left = listObjectsInState(await state()).filter(({ urn, protect }) => urns.includes(urn) && !protect);
  await setProtection(
    cli,
    name,
    left.map(({ urn }) => urn),
    true,
  );
}
