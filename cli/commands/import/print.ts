/** Prints the result of an import. */
import { print, type Io } from "../../terminal/io.js";
import { MANY } from "../../reporters/plan.js";
import type { PlanStep, RecordedPlan } from "../../engine/plan/steps.js";
import { firstOf, groupBy } from "../../lists.js";
import { plain } from "../../reporters/values.js";

/** Prints a line for each imported object in the order of the plan, unless there are many. */
export function printImported(
  done: readonly PlanStep[],
  { steps }: Pick<RecordedPlan, "steps">,
  io: Io,
): void {
  if (done.length === 0 || done.length >= MANY) return;
  const names = new Set(done.map(({ name }) => name));
  const width = Math.max(...done.map(({ type }) => type.length));
  for (const { type, name } of steps.filter((step) => names.has(step.name)))
    print(
      io,
      `  ${io.colors.green("=")} ${type.padEnd(width)}  ${plain(name)}  ${io.colors.dim("imported")}`,
    );
  print(io);
}

/** Counts objects by type: `37 objects: 15 Action, 8 GroupMember, ...` */
export function counted(steps: readonly PlanStep[]): string {
  const types = [...groupBy(steps, ({ type }) => type)].toSorted(([, a], [, b]) => b.length - a.length);
  const list = types.map(([type, of]) => `${of.length} ${type}`);
  return `${steps.length} object${steps.length === 1 ? "" : "s"}: ${list.join(", ")}`;
}

/** Maximum number of values that are named. */
const NAMED = 5;

/** Lists the values of imported objects that cannot be verified. */
export function onTrustLine(
  { unverifiable }: RecordedPlan,
  imported: readonly PlanStep[],
): string | undefined {
  const names = new Set(imported.map(({ name }) => name));
  const found = unverifiable.filter(({ name }) => names.has(name));
  if (found.length === 0) return undefined;
  const named = found.map(({ name, path }) => `${name}: ${path}`);
  const [values, them] = found.length === 1 ? ["1 value is", "it"] : [`${found.length} values are`, "them"];
  return `${values} taken on trust, since the service does not show ${them}: ${plain(firstOf(named, NAMED))}`;
}
