/** Shows the base address in errors. A wrong one is a usual reason, and nobody can check what is not shown. */
import type { Address } from "./address.js";
import { addToRemedy, type ServiceError } from "./errors.js";

const SHOWN = "The base address is ";

/**
 * Adds the base address to a remedy that mentions it.
 * @param source where the address is set, such as the name of a variable
 */
export function showBaseAddress(
  error: ServiceError,
  { origin, prefix }: Address,
  source: string | undefined,
): void {
  if (!/base address/.test(error.remedy) || error.remedy.includes(SHOWN)) return;
  addToRemedy(error, `${SHOWN}${origin}${prefix}${source === undefined ? "" : ` (from ${source})`}.`);
}
