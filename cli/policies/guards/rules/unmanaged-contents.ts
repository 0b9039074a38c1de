/** Guard: a plan deletes an object with contents that no file declares. */
import { formatCount } from "../../../../diff/format-count.js";
import { allowsDeletion, formatFlagsNaming, keepOutermost, formatSettingNaming } from "../deletes.js";
import type { Guard } from "../types.js";

export const unmanagedContents: Guard = {
  code: "unmanaged-contents",
  refuses:
    "The deletion of what no file declares, along with the object that contains it: somebody may have created it by hand.",
  settings: "`unmanagedContents: allow`, `allowDelete`; `--allow-delete PATTERN`",
  setting: "unmanagedContents",
  asksForNames: true,
  judge(judged) {
    if (judged.settings.unmanagedContents === "allow") return undefined;
    const found = (judged.contents ?? []).filter(({ name }) => !allowsDeletion(judged, name));
    if (found.length === 0) return undefined;
    const owners = keepOutermost(found.map(({ within }) => within)).map(({ name }) => name);
    return {
      message: `${formatCount(found.length, "object")} that no file declares would be deleted with ${owners.join(", ")}`,
      objects: found.map(({ name }) => name),
      remedy: formatFlagsNaming(found, judged),
      remedyInFile: formatSettingNaming(found, judged) ?? "guards: { unmanagedContents: allow }",
    };
  },
};
