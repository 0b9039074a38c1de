import { unnamedDeletes, flagsNaming } from "../deletes.js";
import type { Guard } from "../types.js";

const DEFAULT = 10;

export const maxDeletes: Guard = {
  code: "max-deletes",
  refuses: `More deletions than a number (${DEFAULT}). Objects that are replaced count; those named by a pattern do not.`,
  settings: "`maxDeletes`, `allowDelete`; `--max-deletes N`, `--allow-delete PATTERN`",
  judge(judged) {
    const limit = judged.allowances.maxDeletes ?? judged.settings.maxDeletes ?? DEFAULT;
    const deletes = unnamedDeletes(judged);
    if (deletes.length <= limit) return undefined;
    return {
      message: `${deletes.length} objects would be deleted, and at most ${limit} may be`,
      objects: deletes.map(({ name }) => name),
      remedy: `--max-deletes ${deletes.length}, or ${flagsNaming(deletes, judged)}`,
    };
  },
};
