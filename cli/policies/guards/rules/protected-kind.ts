/** Guard: a plan deletes an object of a protected kind. */
import { formatFlagsNaming, formatSettingNaming, listUnnamedDeletes } from "../deletes.js";
import type { Guard } from "../types.js";

export const protectedKind: Guard = {
  code: "protected-kind",
  refuses: "The deletion or replacement of an object of a protected type that no pattern names.",
  settings: "`protectedKinds`, `allowDelete`; `--allow-delete PATTERN`",
  setting: "protectedKinds",
  asksForNames: true,
  judge(judged) {
    const kinds = judged.settings.protectedKinds ?? [];
    const objects = listUnnamedDeletes(judged).filter(({ type }) => kinds.includes(type));
    if (objects.length === 0) return undefined;
    const types = [...new Set(objects.map(({ type }) => type))].join(", ");
    return {
      message: `${objects.length} of protected types would be deleted: ${types}`,
      objects: objects.map(({ name }) => name),
      remedy: formatFlagsNaming(objects, judged),
      remedyInFile: formatSettingNaming(objects, judged),
    };
  },
};
