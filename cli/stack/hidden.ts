/**
 * Secrets of the file that a stack's operation has loaded. The engine keeps from the provider which arguments are marked as secret, so
 * that where the service repeats one in an error, only this process can tell.
 */
import type { EngineStack } from "../engine/engine-stack.js";
import { maskTexts } from "../../client/index.js";

const known = new WeakMap<EngineStack, Set<string>>();

/** @param secrets grows with what is loaded */
export function hideFor(stack: EngineStack, secrets: Set<string>): void {
  known.set(stack, secrets);
}

/** A message of an operation, as it may be shown. */
export function hidden(stack: EngineStack, message: string): string {
  return maskTexts(message, known.get(stack) ?? []);
}
