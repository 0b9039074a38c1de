import { integer, flag, text } from "../fields.js";
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { ProjectLocation } from "../context.js";
import type { ActionExecution, ExecutionRow } from "../model.js";
import type { Service } from "../service.js";
import {
  links,
  date,
  dateOrNull,
  nullableObjectOf,
  objectOf,
  schema,
  shown,
  textOrNull,
  type Json,
} from "../response.js";
import { actionExecutionStatuses, executionStatuses } from "../enums.js";
import { memberSummary, serializeMember } from "./people.js";
import { actionSchema, pipelineSummary, serializeAction, serializePipeline } from "./pipelines.js";
import { branchSummary, commitSummary, serializeBranchSummary, serializeCommit } from "./repository.js";

/** Serializers of executions. */

const fields = {
  ...links,
  id: integer,
  start_date: date,
  finish_date: dateOrNull,
  mode: text,
  refresh: flag,
  status: z.enum(executionStatuses),
  comment: textOrNull,
  branch: nullableObjectOf(branchSummary),
  from_revision: nullableObjectOf(commitSummary),
  to_revision: nullableObjectOf(commitSummary),
  creator: objectOf(memberSummary),
} as const;

export const executionSummary = schema("ExecutionSummary", fields);

export const executionFull = schema("Execution", {
  ...fields,
  pipeline: objectOf(pipelineSummary),
  action_executions: z.array(
    z.object({
      status: z.enum(actionExecutionStatuses),
      progress: z.number(),
      action: objectOf(actionSchema),
    }),
  ),
});

async function serializeRevision(location: ProjectLocation, revision: string | null): Promise<Json | null> {
  if (revision === null) return null;
  const commit = await location.service.repositories.of(location.project).commit(revision);
  return commit === undefined ? null : serializeCommit(location, commit);
}

export async function serializeExecution(location: ProjectLocation, row: ExecutionRow): Promise<Json> {
  // Reads the current values first, because the run continues while the revisions are read.
  const copy = { ...row };
  const current = {
    ...location.service.links.inProject(location, "pipelines", row.pipelineId, "executions", row.id),
    start_date: formatDate(row.startedAt),
    finish_date: row.finishedAt === null ? null : formatDate(row.finishedAt),
    branch: row.branch === null ? null : serializeBranchSummary(location, row.branch),
    creator: serializeMember(location, row.creatorId),
  };
  const [from_revision, to_revision] = await Promise.all(
    [row.from_revision, row.to_revision].map((revision) => serializeRevision(location, revision)),
  );
  return shown(copy, executionSummary, { ...current, from_revision, to_revision });
}

/** @param moment Time to show: a run that has just begun has made no progress, however long the response takes. */
export async function serializeExecutionFull(
  location: ProjectLocation,
  row: ExecutionRow,
  moment = location.service.clock.now(),
): Promise<Json> {
  const { service } = location;
  const { actions, pipelines } = service.store;
  const parts = {
    pipeline: serializePipeline(location, pipelines.require(row.pipelineId)),
    action_executions: row.actions.map((each) => ({
      status: each.status,
      progress: progressOf(service, each, moment),
      // The current action, or its copy in the run after a deletion.
      action: serializeAction(location, actions.get(each.actionId) ?? each.action, "full"),
    })),
  };
  return { ...(await serializeExecution(location, row)), ...parts };
}

/** Returns the progress from 0.0 to 100.0, with one decimal. */
function progressOf(service: Service, { startedAt, finishedAt }: ActionExecution, moment: number): number {
  if (startedAt === null) return 0;
  if (finishedAt !== null) return 100;
  const passed = moment - startedAt;
  const share = passed <= 0 ? 0 : passed / (service.settings.actionSeconds * 1000);
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}
