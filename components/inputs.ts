/** Reads the inputs of a component. */
import type { Fields } from "../provider/index.js";
import { formatHint } from "../resources/definition/problems.js";
import type { DeclaredComponent } from "./component.js";

/** @throws {Error} for an input that the component does not have */
export function readInputs(
  type: string,
  { name, inputs }: Pick<DeclaredComponent, "name" | "inputs">,
  known: readonly string[],
): Fields {
  const unknown = Object.keys(inputs).find((input) => !known.includes(input));
  if (unknown === undefined) return inputs;
  const hint = formatHint(unknown, known) || `: the inputs are ${known.join(", ")}`;
  throw new Error(`${type} "${name}": unknown input "${unknown}"${hint}`);
}
