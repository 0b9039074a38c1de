/** Registry of the guards, in the order in which their verdicts are printed. */
import { maxDeleteShare } from "./rules/max-delete-share.js";
import { maxDeletes } from "./rules/max-deletes.js";
import { minimumAdmins } from "./rules/minimum-admins.js";
import { otherFile } from "./rules/other-file.js";
import { ownAccess } from "./rules/own-access.js";
import { projectDeletion } from "./rules/project-deletion.js";
import { protectedKind } from "./rules/protected-kind.js";
import { protectedObject } from "./rules/protected-object.js";
import { quietHours } from "./rules/quiet-hours.js";
import { requiredAdmins } from "./rules/required-admins.js";
import { wholeSection } from "./rules/whole-section.js";
import type { Guard } from "./types.js";

export const guards: readonly Guard[] = [
  otherFile,
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
