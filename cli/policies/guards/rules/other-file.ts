/** Guard: a plan was made from another file than the last run. */
import { listDeletes, countManagedBefore } from "../deletes.js";
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
