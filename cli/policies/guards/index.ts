/** Guards against accidental changes, as pure functions of a plan. */
import { guards } from "./registry.js";
import type { Judged, Verdict } from "./types.js";

export { guardCodes, type GuardCode } from "./codes.js";
export { guards } from "./registry.js";
export type { Allowances, Guard, Judged, Verdict } from "./types.js";

/** Returns the verdicts of the guards that refuse a plan. */
export function evaluateGuards(judged: Judged): Verdict[] {
  const ignored = judged.allowances.ignoreGuard ?? [];
  return guards.flatMap((guard) => {
    const refusal = guard.judge(judged);
    return refusal ? [{ guard: guard.code, ...refusal, ignored: ignored.includes(guard.code) }] : [];
  });
}
