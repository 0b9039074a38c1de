/** Applies the guards of a workspace file and the policies of a run to a plan of an open stack. Looks up what they need from the workspace. */
import type { Io } from "../../terminal/io.js";
import type { PlannedObject } from "../../engine/plan/planned-objects.js";
import { identifyFile, readAppliedFrom } from "../../engine/stack/stack-tags.js";
import type { OpenStack } from "../../engine/stack/open-stack.js";
import type { AppliedPolicies } from "../policy-file/read.js";
import { evaluateGuards } from "./evaluate.js";
import type { GuardSettings } from "../../../workspace-file/index.js";
import { isServiceError, type WorkspaceAutomationClient } from "../../../client/index.js";
import { withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import { listAdminsAfter, listLostAdmins, listMembers } from "./rules/admins.js";
import { listLostAccess } from "./rules/own-access.js";
import type { Judged, Allowances, Verdict } from "./types.js";

export async function judgePlan(
  open: OpenStack,
  { policies, named, ...allowances }: Allowances & AppliedPolicies,
  { objects, contents }: Pick<Judged, "objects" | "contents">,
  io: Io,
): Promise<Verdict[]> {
  const settings = open.file.guards();
  const { declared } = open.file;
  const all = [settings, ...policies.map(({ guards }) => guards)];
  const facts = await gatherFacts(objects, all, open.connection, { ...io, env: open.io.env });
  const file = identifyFile(open.file.file, open.project);
  const deletes = objects.some(({ operation }) => operation === "delete");
  const appliedFrom = deletes ? await readAppliedFrom(open.cli, open.name) : undefined;
  const judged = {
    ...{
      objects,
      contents,
      settings,
      owns: open.file.owns(),
      allowances,
      named,
      now: new Date(),
      path: open.file.file,
      isProgram: open.named.program !== undefined,
    },
    ...facts,
    ...(file === undefined ? {} : { file }),
    ...(appliedFrom === undefined ? {} : { appliedFrom }),
  };
  const verdicts = evaluateGuards(judged, policies);
  if (policies.length === 0) return verdicts;
  const { listRuleVerdicts } = await import("../policy-file/rules.js");
  const ofRules = await listRuleVerdicts(objects, policies, declared);
  return [...verdicts, ...ofRules.map((one) => ({ ...one, message: open.stack.hide(one.message) }))];
}

type Facts = Pick<Judged, "callerId" | "callerIsHidden" | "otherAdmins">;

async function gatherFacts(
  objects: readonly PlannedObject[],
  settings: readonly GuardSettings[],
  connection: WorkspaceConnection,
  io: Io,
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
