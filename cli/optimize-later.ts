/**
 * Lets V8 optimize only what runs for long. Most commands end within seconds: what V8 optimized in the meantime took a quarter of their
 * processor time, and repaid little of it.
 */
import { setFlagsFromString } from "node:v8";

/** Bytes of bytecode that a function executes before V8 considers it, of which the default is 67,584. */
const MORE_RUNS = "--interrupt-budget=1000000";

/** The flag for a version of V8. Node.js 22 and later optimize late by themselves, and do not know the flag. */
export function chooseOptimizing(v8: string): string | undefined {
  return v8.startsWith("11.") ? MORE_RUNS : undefined;
}

export function optimizeLater(): void {
  const flag = chooseOptimizing(process.versions.v8);
  if (flag !== undefined) setFlagsFromString(flag);
}
