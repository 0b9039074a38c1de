/** Guard: a plan deletes more than a share of the objects. */
import {
  formatFlagsNaming,
  countManagedBefore,
  formatSettingNaming,
  listUnnamedDeletes,
} from "../deletes.js";
import { USUAL_SHARE } from "../strictness.js";
import type { Guard } from "../types.js";

/** Number of deletions that is always allowed, since a share means little in a small workspace. */
const FEW = 3;

export const maxDeleteShare: Guard = {
  code: "max-delete-share",
  refuses: `More than ${FEW} deletions that exceed a share (${USUAL_SHARE} %) of what the stack manages, as when a section was removed by accident.`,
  settings: "`maxDeleteShare`, `allowDelete`; `--max-delete-share PCT`, `--allow-delete PATTERN`",
  setting: "maxDeleteShare",
  judge(judged) {
    const limit = judged.allowances.maxDeleteShare ?? judged.settings.maxDeleteShare ?? USUAL_SHARE;
    const deletes = listUnnamedDeletes(judged);
    const managed = countManagedBefore(judged);
    const share = (deletes.length / managed) * 100;
    if (deletes.length <= FEW || share <= limit) return undefined;
    return {
      message: `${deletes.length} of ${managed} objects (${Math.round(share)} %) would be deleted, and at most ${limit} % may be`,
      objects: deletes.map(({ name }) => name),
      remedy: `--max-delete-share ${Math.ceil(share)}, or ${formatFlagsNaming(deletes, judged)}`,
      remedyInFile: formatSettingNaming(deletes, judged) ?? `guards: { maxDeleteShare: ${Math.ceil(share)} }`,
      remedyInPolicy: `delete at most ${Math.max(FEW, Math.floor((managed * limit) / 100))} at a time`,
    };
  },
};
