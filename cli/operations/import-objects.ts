/** Puts existing objects into the state of a stack, and says how they differ from what is declared. Does not change the workspace. */
import { AutomationError } from "../../automation/errors.js";
import type { PlanStep, RecordedPlan } from "../../automation/plan/record-plan.js";
import { note } from "../../automation/port.js";
import type { OpenStack } from "../../automation/stack/open-stack.js";
import { type OperationResult, runOperation } from "../../automation/stack/run-operations.js";
import { isStateChanged, type StateVersion } from "../../automation/stack/state-version.js";
import { stripControls } from "../../client/printable.js";
import { IMPORT_VARIABLE } from "../../provider/index.js";
import { formatObjectCount } from "../../reports/format-values.js";
import { type Io, print, printResult } from "../../reports/io.js";
import { listRows, printNotes, printRows } from "../../reports/plan/print-plan.js";
import { formatFirst } from "../../text/lists.js";

interface ImportPlan {
  /** The plan in which the imported objects are created. */
  readonly before: OperationResult;
  /** URNs of the imported objects. */
  readonly added: readonly string[];
  /** Receives their ids. */
  readonly ids: Map<string, string>;
  /** The state that the plan was made from. */
  readonly madeFrom: StateVersion;
}

/** Runs `up` in import mode, in which the provider returns existing objects (provider/crud/import.ts). */
export async function importObjects(
  open: OpenStack,
  { before, added, ids, madeFrom }: ImportPlan,
  io: Io,
): Promise<{ readonly done?: OperationResult; readonly failure?: AutomationError }> {
  const { stack } = open;
  // Objects that the stack already has are not changed.
  const target = before.steps.length > added.length ? added : undefined;
  const imported: PlanStep[] = [];
  const variables = { [IMPORT_VARIABLE]: "1" };
  const onStep = (step: PlanStep) => imported.push(step);
  try {
    const done = await runOperation(
      stack,
      {
        command: "up",
        onStep,
        continueOnError: true,
        target,
        ids,
        variables,
        madeFrom,
        writes: before.writes,
      },
      io,
    );
    printNotes(done, io);
    printImported(open, imported, before, io);
    return { done };
  } catch (error) {
    if (isStateChanged(error)) throw error;
    printImported(open, imported, before, io);
    if (!(error instanceof AutomationError)) throw error;
    const rest = added.length - imported.length;
    const all = formatObjectCount(added.length);
    const failure = new AutomationError(
      `${error.message}\n${rest} of ${all} could not be imported: these, what they contain, and what depends on them`,
      'Remove objects that do not exist from the declarations for now, and create them with "up" afterwards',
      { code: error.code, cause: error },
    );
    return { failure };
  }
}

/** Says how what was imported differs, although the import failed for others. */
export async function compareImported(open: OpenStack, said: string, io: Io): Promise<void> {
  // The failure of the import says more than a second one.
  const left = await runOperation(open.stack, { command: "preview", refresh: true }, io).catch(
    () => undefined,
  );
  const steps = left?.steps.filter(({ operation }) => operation !== "create") ?? [];
  if (left !== undefined && steps.length > 0) reportDifferences(open, { ...left, steps }, said, io);
}

export function reportRemaining(
  open: OpenStack,
  left: RecordedPlan,
  done: OperationResult | undefined,
  said: string,
  io: Io,
): void {
  const trust = onTrustLine(left, done?.steps ?? []);
  if (trust !== undefined) note(io, trust);
  if (left.steps.length > 0) reportDifferences(open, left, said, io);
  else if (done !== undefined)
    printResult(io, `The next preview is empty: the workspace matches the ${said}.`);
}

function reportDifferences(open: OpenStack, left: RecordedPlan, said: string, io: Io): void {
  note(io, `The workspace differs from the ${said}; \`up\` would change:`);
  printRows(listRows(left, {}, io, open.file.declared), io);
}

/** Prints the imported objects as a tree. */
function printImported(
  open: OpenStack,
  done: readonly PlanStep[],
  { shown }: Pick<RecordedPlan, "shown">,
  io: Io,
): void {
  if (done.length === 0) return;
  const steps = done.map((step): PlanStep => ({ ...step, operation: "adopt", changes: [] }));
  printRows(listRows({ steps, drift: [], shown }, {}, io, open.file.declared), io);
  print(io);
}

/** Maximum number of values that are named. */
const NAMED = 5;

/** Returns a line about the values of imported objects that cannot be verified. */
function onTrustLine({ unverifiable }: RecordedPlan, imported: readonly PlanStep[]): string | undefined {
  const names = new Set(imported.map(({ name }) => name));
  const found = unverifiable.filter(({ name }) => names.has(name));
  if (found.length === 0) return undefined;
  const named = found.map(({ name, path }) => `${name}: ${path}`);
  const [values, them] = found.length === 1 ? ["1 value is", "it"] : [`${found.length} values are`, "them"];
  return `${values} assumed to be right, because the service does not return ${them}: ${stripControls(formatFirst(named, NAMED))}`;
}
