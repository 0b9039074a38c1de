/** What an import tells people. */
import { print, type Io } from "../../terminal/io.js";
import { MANY } from "../../engine/plan/groups.js";
import type { PlanStep, RecordedPlan } from "../../engine/plan/steps.js";
import { plain } from "../../reporters/values.js";

/** A line for each object that is in the state now, in the order of the plan; of many objects their number tells enough. */
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

/** `37 objects: 15 Action, 8 GroupMember, ...`, the most first. */
export function counted(steps: readonly PlanStep[]): string {
  const types = new Map<string, number>();
  for (const { type } of steps) types.set(type, (types.get(type) ?? 0) + 1);
  const list = [...types].toSorted((a, b) => b[1] - a[1]).map(([type, count]) => `${count} ${type}`);
  return `${steps.length} object${steps.length === 1 ? "" : "s"}: ${list.join(", ")}`;
}

/** So many values are named. */
const NAMED = 5;

/** Values of the imported objects that nobody can compare with what is there. */
export function onTrustLine(
  { unverifiable }: RecordedPlan,
  imported: readonly PlanStep[],
): string | undefined {
  const names = new Set(imported.map(({ name }) => name));
  const found = unverifiable.filter(({ name }) => names.has(name));
  if (found.length === 0) return undefined;
  const named = found.slice(0, NAMED).map(({ name, path }) => `${name}: ${path}`);
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : "";
  const [values, them] = found.length === 1 ? ["1 value is", "it"] : [`${found.length} values are`, "them"];
  return `${values} taken on trust, since the service does not show ${them}: ${plain(named.join(", "))}${more}`;
}
