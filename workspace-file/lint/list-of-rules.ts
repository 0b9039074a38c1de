/** Registry of the lint rules, with a line for each. */
import type { Rule } from "./rule.js";
import { alwaysFails } from "./rules/always-fails.js";
import { cronAmbiguous } from "./rules/cron-ambiguous.js";
import { cronNever } from "./rules/cron-never.js";
import { cronNotEverywhere } from "./rules/cron-not-everywhere.js";
import { emptyCommand } from "./rules/empty-command.js";
import { emptyGroup } from "./rules/empty-group.js";
import { exposedSecret } from "./rules/exposed-secret.js";
import { foreignPlaceholder } from "./rules/foreign-placeholder.js";
import { grantsNothing } from "./rules/grants-nothing.js";
import { impossibleRef } from "./rules/impossible-ref.js";
import { ineffectiveExcludes } from "./rules/ineffective-excludes.js";
import { keyVariable } from "./rules/key-variable.js";
import { knownSecret } from "./rules/known-secret.js";
import { latestImage } from "./rules/latest-image.js";
import { literalSecret } from "./rules/literal-secret.js";
import { namesAlike } from "./rules/names-alike.js";
import { needlessWildcard } from "./rules/needless-wildcard.js";
import { noAdministrator } from "./rules/no-administrator.js";
import { noPrivateKey } from "./rules/no-private-key.js";
import { pausedSchedule } from "./rules/paused-schedule.js";
import { pipelineWithoutActions } from "./rules/pipeline-without-actions.js";
import { plainHttp } from "./rules/plain-http.js";
import { repeatedAlarm } from "./rules/repeated-alarm.js";
import { scheduleTooOften } from "./rules/schedule-too-often.js";
import { shadowedVariable } from "./rules/shadowed-variable.js";
import { silentSchedule } from "./rules/silent-schedule.js";
import { unencryptedSecret } from "./rules/unencrypted-secret.js";
import { unknownBuildAction } from "./rules/unknown-build-action.js";
import { unreachableAction } from "./rules/unreachable-action.js";
import { unusedMember } from "./rules/unused-member.js";
import { unusedPermissionSet } from "./rules/unused-permission-set.js";

export const rules: readonly Rule[] = [
  knownSecret,
  literalSecret,
  exposedSecret,
  foreignPlaceholder,
  unencryptedSecret,
  noPrivateKey,
  keyVariable,
  cronNever,
  cronAmbiguous,
  cronNotEverywhere,
  scheduleTooOften,
  pausedSchedule,
  silentSchedule,
  pipelineWithoutActions,
  unreachableAction,
  alwaysFails,
  emptyCommand,
  latestImage,
  unknownBuildAction,
  ineffectiveExcludes,
  plainHttp,
  repeatedAlarm,
  needlessWildcard,
  impossibleRef,
  unusedPermissionSet,
  grantsNothing,
  emptyGroup,
  unusedMember,
  noAdministrator,
  shadowedVariable,
  namesAlike,
];
