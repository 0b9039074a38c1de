/** Guards: a plan was made from another file than the last run, or deletes what the file does not own. */
import { isOwned, ownsContents } from "../../../../workspace-file/load/owns.js";
import { countManagedBefore, listDeletes } from "../deletes.js";
import type { Guard } from "../types.js";

export const otherFile: Guard = {
  code: "other-file",
  refuses:
    "A plan that deletes most of what another workspace file created: two files that share one stack by accident.",
  settings: "`--stack NAME`",
  judge(judged) {
    const { file, appliedFrom } = judged;
    if (file === undefined || appliedFrom === undefined || file === appliedFrom) return undefined;
    const deletes = listDeletes(judged).filter(({ operation }) => operation === "delete");
    if (deletes.length * 2 <= countManagedBefore(judged)) return undefined;
    return {
      message: `this stack was last applied from ${appliedFrom}, and ${file} would delete most of what that declares`,
      objects: deletes.map(({ name }) => name),
      remedy:
        "--stack with a name of its own for this file, or --ignore-guard other-file when it replaces the other file",
    };
  },
};

export const notOwned: Guard = {
  code: "not-owned",
  refuses:
    "The deletion or replacement of an object that `owns` of the file does not match, or in which others may own something.",
  settings: "`owns`, `retain: true` of the entry",
  judge(judged) {
    const { owns } = judged;
    const found = listDeletes(judged);
    const foreign = found.filter(({ name }) => !isOwned(owns, name));
    const shared = found.filter((one) => !foreign.includes(one) && !ownsContents(owns, one.type, one.name));
    if (foreign.length + shared.length === 0) return undefined;
    const names = (objects: typeof found) => objects.map(({ name }) => name).join(", ");
    const reasons = [
      ...(foreign.length > 0 ? [`this file does not own ${names(foreign)}, and would delete it`] : []),
      ...(shared.length > 0 ? [`${names(shared)} would be deleted with what others may own in it`] : []),
    ];
    return {
      message: reasons.join("; "),
      objects: [...foreign, ...shared].map(({ name }) => name),
      remedy:
        'add it to owns with everything in it ("projects/web/**"); or leave the object alone: declare it with retain: true, ' +
        "apply that, and only then remove the entry and its pattern",
    };
  },
};
