/** What must not happen by accident, judged on a plan: pure, so that it can be tried without a workspace. */
import { guards } from "./registry.js";
import type { Judged, Verdict } from "./types.js";

export { guardCodes, type GuardCode } from "./codes.js";
export { guards } from "./registry.js";
export type { Allowances, GuardFinding, Guard, Judged, Verdict } from "./types.js";

/** What the guards say of a plan; nothing when nothing speaks against it. */
export function evaluateGuards(judged: Judged): Verdict[] {
  const ignored = judged.allowances.ignoreGuard ?? [];
  return guards.flatMap((guard) => {
    const finding = guard.judge(judged);
    return finding ? [{ guard: guard.code, ...finding, ignored: ignored.includes(guard.code) }] : [];
  });
}
