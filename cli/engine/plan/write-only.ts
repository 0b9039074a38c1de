/** Finds write-only values, which cannot be verified because the service never returns them. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { NOT_COMPARED, unverifiableOf, type Definition } from "../../../provider/index.js";
import { formatPath, type PropertyPath } from "../../../provider/definition/problems.js";
import { print, type Io } from "../../terminal/io.js";

export interface Unverifiable {
  readonly type: string;
  readonly name: string;
  /** The property. */
  readonly path: string;
  readonly parts: PropertyPath;
}

/** Option of the commands that compare with the service. */
export interface UnverifiableOption {
  /** List the values instead of only counting them. */
  readonly unverifiable?: boolean;
}

/** Lists the write-only properties of an object that stays in the state. */
export function unverifiablePaths(
  definition: Definition,
  { old, new: fresh }: StepEventMetadata,
): Pick<Unverifiable, "path" | "parts">[] {
  if (!old?.id || !fresh || definition.ephemeral) return [];
  const outputs: Readonly<Record<string, unknown>> = { ...old.outputs, ...fresh.outputs };
  const names = unverifiableOf(definition, fresh.inputs, outputs).map((name) => [name]);
  const notCompared = (outputs[NOT_COMPARED] ?? []) as readonly PropertyPath[];
  return [...names, ...notCompared].map((parts) => ({ path: formatPath(parts), parts }));
}

/** Omits what only findings need. */
export function reported(found: readonly Unverifiable[]): object[] {
  return found.map(({ type, name, path }) => ({ type, name, path }));
}

/** Prints the number of values in one line, or the list of them. */
export function printUnverifiable(
  found: readonly Unverifiable[],
  { unverifiable }: UnverifiableOption,
  io: Io,
): void {
  if (found.length === 0) return;
  const byObject = new Map<string, Unverifiable[]>();
  for (const one of found) {
    const key = `${one.type}  ${one.name}`;
    byObject.set(key, [...(byObject.get(key) ?? []), one]);
  }
  const values = found.length === 1 ? "1 value" : `${found.length} values`;
  const objects = byObject.size === 1 ? "1 object" : `${byObject.size} objects`;
  const more = unverifiable ? ":" : " (--unverifiable lists them)";
  print(
    io,
    io.colors.dim(`${values} of ${objects} cannot be verified: the service does not show them${more}`),
  );
  if (!unverifiable) return;
  const width = Math.max(...found.map(({ type }) => type.length));
  for (const of of byObject.values()) {
    const [{ type, name } = { type: "", name: "" }] = of;
    print(io, `  ${type.padEnd(width)}  ${name}  ${of.map(({ path }) => path).join(", ")}`);
  }
}
