/** How many objects an operation will see, as far as what came before it tells. */
import type { EngineStack } from "../stack/engine-stack.js";
import type { Expected } from "./tally.js";

const known = new WeakMap<EngineStack, Expected>();

/** Notes what is known of a stack; what is not given stays as it was known. */
export function expectOf(stack: EngineStack, expected: Expected): void {
  known.set(stack, { ...known.get(stack), ...expected });
}

/** What is known of a stack. */
export function expectedOf(stack: EngineStack): Expected {
  return known.get(stack) ?? {};
}
