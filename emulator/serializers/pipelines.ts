/** Pipelines, actions and executions as JSON. */
import { z } from "zod";
import { serializeTypeFields } from "../actions/action-types.js";
import { formatDate } from "../clock.js";
import type { ProjectLocation } from "../context.js";
import { executionStatuses, refTypes, triggerModes } from "../enums.js";
import { flag, integer, text } from "../fields.js";
import type { ActionRow, PipelineRow } from "../model.js";
import {
  date,
  defineSchema,
  type Json,
  links,
  serializeFields,
  textOrNull,
  toObjectSchema,
} from "../response.js";
import type { Service } from "../service.js";
import { memberSummary, serializeMember } from "./people.js";
import { projectSummary, serializeProject } from "./projects.js";

/** Serializers of pipelines and actions. */

const status = z.enum(executionStatuses);

export const pipelineSummary = defineSchema("PipelineSummary", {
  ...links,
  id: integer,
  name: text,
  trigger_mode: z.enum(triggerModes),
  ref_name: text,
  last_execution_status: status,
  last_execution_revision: textOrNull,
});

export const actionSchema = defineSchema("Action", {
  ...links,
  id: integer,
  name: text,
  type: text,
  trigger_time: text,
  run_only_on_first_failure: flag,
  // Exactly one of the two; see the spec, "Action (common fields)".
  last_execution_status: status.optional(),
  status: status.optional(),
  pipeline: z.object(pipelineSummary.fields).optional(),
});

const pipelineOwn = defineSchema("Pipeline", {
  ...pipelineSummary.fields,
  ref_type: z.enum(refTypes),
  create_date: date,
  always_from_scratch: flag,
  auto_clear_cache: flag,
  no_skip_to_most_recent: flag,
  do_not_create_commit_status: flag,
  project: toObjectSchema(projectSummary),
  creator: toObjectSchema(memberSummary),
  actions: z.array(z.object(actionSchema.fields)),
});

const scheduleSchema = defineSchema("Schedule", {
  start_date: textOrNull,
  delay: integer.nullable(),
  cron: textOrNull,
  run_always: flag,
  paused: flag,
});

export const pipelineFull = defineSchema("Pipeline", {
  ...pipelineOwn.fields,
  // Present only with the setting: the spec lists the schedule for requests only.
  ...z.object(scheduleSchema.fields).partial().shape,
});

export function serializePipeline(location: ProjectLocation, row: PipelineRow): Json {
  return serializeFields(row, pipelineSummary, {
    ...location.service.links.inProject(location, "pipelines", row.id),
    last_execution_status: row.status,
  });
}

/** Returns the actions of a pipeline in order. */
export function listActions(service: Service, pipelineId: number): ActionRow[] {
  return service.store.actions.of(pipelineId).toSorted((a, b) => a.position - b.position);
}

export function serializePipelineFull(location: ProjectLocation, row: PipelineRow): Json {
  const { embeddedActions, embeddedActionStatusField, showSchedule } = location.service.settings;
  const pipeline = serializeFields(row, pipelineOwn, {
    ...serializePipeline(location, row),
    create_date: formatDate(row.createdAt),
    project: serializeProject(location, location.project),
    creator: serializeMember(location, row.creatorId),
    actions: listActions(location.service, row.id).map((action) =>
      serializeAction(location, action, embeddedActions, embeddedActionStatusField),
    ),
  });
  return showSchedule ? { ...pipeline, ...serializeFields(row, scheduleSchema, {}) } : pipeline;
}

export function serializeAction(
  location: ProjectLocation,
  row: ActionRow,
  extent: "full" | "summary",
  statusField: "status" | "last_execution_status" = "last_execution_status",
): Json {
  return {
    ...location.service.links.inProject(location, "pipelines", row.pipelineId, "actions", row.id),
    id: row.id,
    name: row.name,
    type: row.type,
    trigger_time: row.trigger_time,
    run_only_on_first_failure: row.run_only_on_first_failure,
    [statusField]: row.status,
    ...(extent === "full" ? serializeTypeFields(location.service, row) : {}),
  };
}
