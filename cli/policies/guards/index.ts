/** Guards against accidental changes, as pure functions of a plan. */
import type { Judged, Verdict, Guard } from "./types.js";
import { maxDeleteShare } from "./rules/max-delete-share.js";
import { maxDeletes } from "./rules/max-deletes.js";
import { minimumAdmins } from "./rules/minimum-admins.js";
import { notOwned } from "./rules/not-owned.js";
import { otherFile } from "./rules/other-file.js";
import { ownAccess } from "./rules/own-access.js";
import { projectDeletion } from "./rules/project-deletion.js";
import { protectedKind } from "./rules/protected-kind.js";
import { protectedObject } from "./rules/protected-object.js";
import { quietHours } from "./rules/quiet-hours.js";
import { requiredAdmins } from "./rules/required-admins.js";
import { wholeSection } from "./rules/whole-section.js";

export { guardCodes, type GuardCode } from "./codes.js";

export type { Allowances, Guard, Judged, Verdict } from "./types.js";

/** Returns the verdicts of the guards that refuse a plan. */
export function evaluateGuards(judged: Judged): Verdict[] {
  const ignored = judged.allowances.ignoreGuard ?? [];
  return guards.flatMap((guard) => {
    const refusal = guard.judge(judged);
    return refusal ? [{ guard: guard.code, ...refusal, ignored: ignored.includes(guard.code) }] : [];
  });
}

/** All guards, in the order in which their verdicts are printed. */
export const guards: readonly Guard[] = [
  otherFile,
  notOwned,
  projectDeletion,
  protectedObject,
  protectedKind,
  maxDeletes,
  maxDeleteShare,
  wholeSection,
  ownAccess,
  requiredAdmins,
  minimumAdmins,
  quietHours,
];
