/** Estimates how many objects an operation will process from earlier operations. */
import type { EngineStack } from "../stack/engine-stack.js";
import type { ExpectedCounts } from "./tally.js";

const known = new WeakMap<EngineStack, ExpectedCounts>();

/** Records expectations for a stack; omitted ones keep their values. */
export function recordExpected(stack: EngineStack, expected: ExpectedCounts): void {
  known.set(stack, { ...known.get(stack), ...expected });
}

/** Returns the expectations for a stack. */
export function readExpected(stack: EngineStack): ExpectedCounts {
  return known.get(stack) ?? {};
}
