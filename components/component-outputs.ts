/** What a component shows of its resources: their ids and outputs, without secrets, which would make the whole output secret. */
import { hasSecret, UNKNOWN } from "../diff/values.js";
import type { Fields } from "../provider/index.js";
import type { RegisteredDeclaration } from "./component.js";

export function showObject({ declaration, registered }: RegisteredDeclaration): Fields {
  const { id = UNKNOWN, outputs, isPartial } = registered;
  const shown = Object.keys(declaration.definition.outputs)
    .map((name) => [name, outputs[name] ?? (isPartial ? UNKNOWN : undefined)] as const)
    .filter(([, value]) => value !== undefined && !hasSecret(value));
  return { id, ...Object.fromEntries(shown) };
}
