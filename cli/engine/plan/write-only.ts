/** Finds write-only values, which cannot be verified because the service never returns them. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { NOT_COMPARED, listUnverifiable, type Definition } from "../../../provider/index.js";
import { formatPath, type PropertyPath } from "../../../provider/definition/problems.js";

export interface Unverifiable {
  readonly type: string;
  readonly name: string;
  /** The property. */
  readonly path: string;
  readonly parts: PropertyPath;
}

/** Lists the write-only properties of an object that stays in the state. */
export function listUnverifiablePaths(
  definition: Definition,
  { old, new: fresh }: StepEventMetadata,
): Pick<Unverifiable, "path" | "parts">[] {
  if (!old?.id || !fresh || definition.ephemeral) return [];
  const outputs: Readonly<Record<string, unknown>> = { ...old.outputs, ...fresh.outputs };
  const names = listUnverifiable(definition, fresh.inputs, outputs).map((name) => [name]);
  const notCompared = (outputs[NOT_COMPARED] ?? []) as readonly PropertyPath[];
  return [...names, ...notCompared].map((parts) => ({ path: formatPath(parts), parts }));
}
