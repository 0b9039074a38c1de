/** Guards against accidental changes, as pure functions of a plan. */
import { pickDefined } from "../../../diff/values.js";
import type { Guard, Judged, PolicyGuards, Verdict } from "./types.js";
import { maxDeletes, maxDeleteShare } from "./rules/max-deletes.js";
import { minimumAdmins, requiredAdmins } from "./rules/admins.js";
import { notOwned, otherFile } from "./rules/other-files.js";
import { ownAccess } from "./rules/own-access.js";
import { projectDeletion, protectedKind, protectedObject } from "./rules/protected.js";
import { quietHours } from "./rules/quiet-hours.js";
import { unmanagedContents } from "./rules/unmanaged-contents.js";
import { wholeSection } from "./rules/whole-section.js";

/**
 * Returns the verdicts of the guards that refuse a plan: by the settings of each policy, and by those of the file, which options
 * override. Each is judged on its own, so that nothing that a file says allows what a policy refuses.
 */
export function evaluateGuards(judged: Judged, policies: readonly PolicyGuards[] = []): Verdict[] {
  return guards.flatMap((guard) => {
    const refused = policies.flatMap((policy) => judgeByPolicy(guard, judged, policy) ?? []);
    const own = judgeByFile(guard, judged);
    // A flag would not help while a policy refuses the same.
    const isCovered = refused.some(({ objects }) => own?.objects.every((name) => objects.includes(name)));
    return own === undefined || isCovered ? refused : [...refused, own];
  });
}

function judgeByPolicy(
  guard: Guard,
  judged: Judged,
  { path, guards: settings }: PolicyGuards,
): Verdict | undefined {
  if (guard.setting === undefined || settings[guard.setting] === undefined) return undefined;
  const allowances = guard.asksForNames ? (judged.named ?? {}) : {};
  const refusal = guard.judge({ ...judged, settings, allowances });
  if (refusal === undefined) return undefined;
  const { remedyInPolicy, remedyInFile: _, remedy, ...found } = refusal;
  return {
    guard: guard.code,
    ...found,
    ignored: false,
    policy: path,
    remedy: remedyInPolicy === undefined ? remedy : withoutOptions(remedyInPolicy),
  };
}

/** Completes the remedy for what a policy refuses. */
export function withoutOptions(remedy: string): string {
  return `${withoutPeriod(remedy)}; no option overrides a policy`;
}

/** Makes a sentence of a rule part of a longer one. */
export function withoutPeriod(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function judgeByFile(guard: Guard, judged: Judged): Verdict | undefined {
  const refusal = guard.judge(judged);
  if (refusal === undefined) return undefined;
  const { remedyInPolicy: _, remedyInFile, ...found } = refusal;
  const { settings, allowances, path, isProgram } = judged;
  const { setting } = guard;
  const isGiven =
    setting !== undefined && settings[setting] !== undefined && !(setting in pickDefined(allowances));
  return {
    guard: guard.code,
    ...found,
    ...(isProgram || remedyInFile === undefined ? {} : { remedyInFile }),
    ignored: allowances.ignoreGuard?.includes(guard.code) ?? false,
    ...(isGiven && path !== undefined ? { file: path } : {}),
  };
}

/** All guards, in the order in which their verdicts are printed. */
export const guards: readonly Guard[] = [
  otherFile,
  notOwned,
  projectDeletion,
  protectedObject,
  protectedKind,
  maxDeletes,
  maxDeleteShare,
  wholeSection,
  unmanagedContents,
  ownAccess,
  requiredAdmins,
  minimumAdmins,
  quietHours,
];
