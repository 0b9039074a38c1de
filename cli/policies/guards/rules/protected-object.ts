/** Guard: a plan deletes a protected object. */
import {
  listDeletedProjects,
  formatFlagsNaming,
  formatSettingNaming,
  listUnnamedDeletes,
} from "../deletes.js";
import type { Guard } from "../types.js";

export const protectedObject: Guard = {
  code: "protected-object",
  refuses: "The deletion of an object that was declared with `protect: true`.",
  settings: "`protect` of the entry, `allowDelete`; `--allow-delete PATTERN`",
  judge(judged) {
    const projects = listDeletedProjects(judged);
    // Projects are protected by default and have a guard of their own.
    const objects = listUnnamedDeletes(judged).filter((one) => one.protected && !projects.includes(one));
    if (objects.length === 0) return undefined;
    return {
      message: `${objects.map(({ name }) => name).join(", ")} would be deleted, but is protected`,
      objects: objects.map(({ name }) => name),
      remedy: formatFlagsNaming(objects, judged),
      remedyInFile: formatSettingNaming(objects, judged),
    };
  },
};
