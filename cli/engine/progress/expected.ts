/** Estimates how many objects an operation will process from earlier operations. */
import type { EngineStack } from "../stack/engine-stack.js";
import type { Expected } from "./tally.js";

const known = new WeakMap<EngineStack, Expected>();

/** Records expectations for a stack; omitted ones keep their values. */
export function expectOf(stack: EngineStack, expected: Expected): void {
  known.set(stack, { ...known.get(stack), ...expected });
}

/** Returns the expectations for a stack. */
export function expectedOf(stack: EngineStack): Expected {
  return known.get(stack) ?? {};
}
