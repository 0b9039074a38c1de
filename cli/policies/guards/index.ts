/** Guards against accidental changes, as pure functions of a plan. */
import { guards } from "./registry.js";
import type { Judged, Verdict } from "./types.js";

export { guardCodes, type GuardCode } from "./codes.js";
export { guards } from "./registry.js";
export type { Allowances, GuardFinding, Guard, Judged, Verdict } from "./types.js";

/** Returns the verdicts of the guards that refuse a plan. */
export function evaluateGuards(judged: Judged): Verdict[] {
  const ignored = judged.allowances.ignoreGuard ?? [];
  return guards.flatMap((guard) => {
    const finding = guard.judge(judged);
    return finding ? [{ guard: guard.code, ...finding, ignored: ignored.includes(guard.code) }] : [];
  });
}
