/** What an import tells people. */
import { print, type Io } from "../io.js";
import { MANY } from "../plan/groups.js";
import type { Step, Told } from "../plan/steps.js";

/** A line for each object as soon as it is in the state; of many objects progress tells enough. */
export function importedPrinter({ steps }: Pick<Told, "steps">, io: Io): (step: Step) => void {
  if (steps.length >= MANY) return () => undefined;
  const width = Math.max(0, ...steps.map(({ type }) => type.length));
  return ({ type, name }) =>
    print(io, `  ${io.colors.green("=")} ${type.padEnd(width)}  ${name}  ${io.colors.dim("imported")}`);
}

/** `37 objects: 15 Action, 8 GroupMember, ...`, the most first. */
export function counted(steps: readonly Step[]): string {
  const types = new Map<string, number>();
  for (const { type } of steps) types.set(type, (types.get(type) ?? 0) + 1);
  const list = [...types].toSorted((a, b) => b[1] - a[1]).map(([type, count]) => `${count} ${type}`);
  return `${steps.length} object${steps.length === 1 ? "" : "s"}: ${list.join(", ")}`;
}

/** So many values are named. */
const NAMED = 5;

/** Values of the imported objects that nobody can compare with what is there. */
export function onTrustLine({ unverifiable }: Told, imported: readonly Step[]): string | undefined {
  const names = new Set(imported.map(({ name }) => name));
  const found = unverifiable.filter(({ name }) => names.has(name));
  if (found.length === 0) return undefined;
  const named = found.slice(0, NAMED).map(({ name, path }) => `${name}: ${path}`);
  const more = found.length > NAMED ? `, and ${found.length - NAMED} more` : "";
  const values = found.length === 1 ? "1 value is" : `${found.length} values are`;
  return `${values} taken on trust, since the service does not show them: ${named.join(", ")}${more}`;
}
