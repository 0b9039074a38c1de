/** Guards: a plan deletes more objects than a number, or more than a share of them. */
import {
  countManagedBefore,
  formatFlagsNaming,
  formatSettingNaming,
  listUnnamedDeletes,
} from "../deletes.js";
import type { Guard } from "../types.js";

/** Number of deletions that is allowed by default. */
export const USUAL_DELETES = 10;
/** Percentage of what a stack manages that may be deleted by default. */
export const USUAL_SHARE = 20;

export const maxDeletes: Guard = {
  code: "max-deletes",
  refuses: `More deletions than the limit (${USUAL_DELETES}). Replaced objects are included; objects that match a pattern are not.`,
  settings: "`maxDeletes`, `allowDelete`; `--max-deletes N`, `--allow-delete PATTERN`",
  setting: "maxDeletes",
  judge(judged) {
    const limit = judged.allowances.maxDeletes ?? judged.settings.maxDeletes ?? USUAL_DELETES;
    const deletes = listUnnamedDeletes(judged);
    if (deletes.length <= limit) return undefined;
    return {
      message: `${deletes.length} objects would be deleted, and at most ${limit} may be`,
      objects: deletes.map(({ name }) => name),
      remedy: `--max-deletes ${deletes.length}, or ${formatFlagsNaming(deletes, judged)}`,
      remedyInFile: formatSettingNaming(deletes, judged) ?? `guards: { maxDeletes: ${deletes.length} }`,
      remedyInPolicy: limit === 0 ? "delete nothing" : `delete at most ${limit} at a time`,
    };
  },
};

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
