/** Guards against accidental changes: applies those of a workspace file and the policies of a run to a plan, and looks up what they need from the workspace. */
import { isServiceError, type WorkspaceAutomationClient } from "../../../client/index.js";
import { pickDefined } from "../../../diff/values.js";
import type { GuardSettings } from "../../../workspace-file/index.js";
import { withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import type { Port } from "../../port.js";
import type { OpenStack } from "../../stack/open-stack.js";
import { identifyFile, readAppliedFrom } from "../../stack/stack-tags.js";
import type { AppliedPolicies } from "../policy-file/read.js";
import {
  listAdminsAfter,
  listLostAccess,
  listLostAdmins,
  listMembers,
  minimumAdmins,
  ownAccess,
  requiredAdmins,
} from "./rules/access.js";
import { unmanagedContents, wholeSection } from "./rules/contents.js";
import { perhapsHidden, usedObject } from "./rules/existence.js";
import { maxDeletes, maxDeleteShare } from "./rules/max-deletes.js";
import { notOwned, otherFile } from "./rules/other-files.js";
import { projectDeletion, protectedKind, protectedObject } from "./rules/protected.js";
import {
  type Allowances,
  type Guard,
  type Judged,
  type PolicyGuards,
  type Verdict,
  withoutOptions,
} from "./types.js";

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
  perhapsHidden,
  usedObject,
  ownAccess,
  requiredAdmins,
  minimumAdmins,
];

export async function judgePlan(
  open: OpenStack,
  { policies, named, ...allowances }: Allowances & AppliedPolicies,
  found: Pick<Judged, "objects" | "contents" | "hidden" | "uses">,
  io: Port,
): Promise<Verdict[]> {
  const settings = open.file.guards();
  const { objects } = found;
  const { declared } = open.file;
  const all = [settings, ...policies.map(({ guards }) => guards)];
  const facts = await gatherFacts(objects, all, open.connection, { ...io, env: open.io.env });
  const file = identifyFile(open.file.file, open.project);
  const deletes = objects.some(({ operation }) => operation === "delete");
  const appliedFrom = deletes ? await readAppliedFrom(open.cli, open.name) : undefined;
  const judged = {
    ...{
      ...found,
      settings,
      owns: open.file.owns(),
      allowances,
      named,
      path: open.file.file,
      isProgram: open.named.program !== undefined,
    },
    ...facts,
    ...(file === undefined ? {} : { file }),
    ...(appliedFrom === undefined ? {} : { appliedFrom }),
  };
  const verdicts = evaluateGuards(judged, policies);
  if (policies.length === 0) return verdicts;
  const { listRuleVerdicts } = await import("../policy-file/cel-rules.js");
  const ofRules = await listRuleVerdicts(objects, policies, declared);
  return [...verdicts, ...ofRules.map((one) => ({ ...one, message: open.stack.hide(one.message) }))];
}

type Facts = Pick<Judged, "callerId" | "callerIsHidden" | "otherAdmins">;

async function gatherFacts(
  objects: readonly PlannedObject[],
  settings: readonly GuardSettings[],
  connection: WorkspaceConnection,
  io: Port,
): Promise<Facts> {
  const minimum = Math.max(...settings.map(({ minimumAdmins = 0 }) => minimumAdmins));
  const wantsCaller =
    listLostAccess({ objects }).length > 0 && settings.some(({ ownAccess }) => ownAccess !== false);
  const wantsAdmins = listLostAdmins({ objects }).length > 0 && listAdminsAfter({ objects }).length < minimum;
  if (!wantsCaller && !wantsAdmins) return {};
  return withClient(connection, io, async (client) => ({
    ...(wantsCaller ? await caller(client) : {}),
    ...(wantsAdmins ? { otherAdmins: await otherAdmins(client) } : {}),
  }));

  async function caller(client: WorkspaceAutomationClient): Promise<Facts> {
    try {
      return { callerId: (await client.user.get()).id };
    } catch (error) {
      // The token may not read its user. Any other failure ends the run.
      if (isServiceError(error, "denied")) return { callerIsHidden: true };
      throw error;
    }
  }

  async function otherAdmins(client: WorkspaceAutomationClient): Promise<number> {
    const managed = new Set(listMembers({ objects }).map(({ before }) => before?.["memberId"]));
    let count = 0;
    for await (const { id } of client.members.list(connection.workspace)) {
      if (managed.has(id)) continue;
      const member = await client.members.get(connection.workspace, id);
      if (member.admin === true || member.workspace_owner === true) count++;
    }
    return count;
  }
}
