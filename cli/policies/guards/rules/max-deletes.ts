/** Guard: a plan deletes more objects than a number. */
import { formatFlagsNaming, formatSettingNaming, listUnnamedDeletes } from "../deletes.js";
import { USUAL_DELETES } from "../strictness.js";
import type { Guard } from "../types.js";

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
