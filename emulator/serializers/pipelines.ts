import { integer, flag, text } from "../fields.js";
import { z } from "zod";
import { formatDate } from "../clock.js";
import type { ActionRow, PipelineRow, ProjectRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { links, date, objectOf, schema, textOrNull } from "../response.js";
import { memberSummary, serializeMember } from "./people.js";
import { projectSummary, serializeProject } from "./projects.js";
import { serializeTypeFields } from "../actions/registry.js";
import { executionStatuses, refTypes, triggerModes } from "../enums.js";

/** Serializers of pipelines and actions. */

const status = z.enum(executionStatuses);

export const pipelineSummary = schema("PipelineSummary", {
  ...links,
  id: integer,
  name: text,
  trigger_mode: z.enum(triggerModes),
  ref_name: text,
  last_execution_status: status,
  last_execution_revision: textOrNull,
});

export const actionSchema = schema("Action", {
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

export const pipelineFull = schema("Pipeline", {
  ...pipelineSummary.fields,
  ref_type: z.enum(refTypes),
  create_date: date,
  always_from_scratch: flag,
  auto_clear_cache: flag,
  no_skip_to_most_recent: flag,
  do_not_create_commit_status: flag,
  project: objectOf(projectSummary),
  creator: objectOf(memberSummary),
  actions: z.array(z.object(actionSchema.fields)),
});

type Json = Record<string, unknown>;

/** Location of an object in a project. */
export interface ProjectLocation {
  workspace: WorkspaceRow;
  project: ProjectRow;
}

export function serializePipeline(service: Service, location: ProjectLocation, row: PipelineRow): Json {
  return {
    ...service.links.inProject(location, "pipelines", row.id),
    id: row.id,
    name: row.name,
    trigger_mode: row.trigger_mode,
    ref_name: row.ref_name,
    last_execution_status: row.status,
    last_execution_revision: row.last_execution_revision,
  };
}

/** Returns the actions of a pipeline in order. */
export function actionsOf(service: Service, pipelineId: number): ActionRow[] {
  return service.store.actions.of(pipelineId).toSorted((a, b) => a.position - b.position);
}

export function serializePipelineFull(service: Service, location: ProjectLocation, row: PipelineRow): Json {
  const { settings, store } = service;
  return {
    ...serializePipeline(service, location, row),
    ref_type: row.ref_type,
    create_date: formatDate(row.createdAt),
    always_from_scratch: row.always_from_scratch,
    auto_clear_cache: row.auto_clear_cache,
    no_skip_to_most_recent: row.no_skip_to_most_recent,
    do_not_create_commit_status: row.do_not_create_commit_status,
    project: serializeProject(service, location.workspace, location.project),
    creator: serializeMember(service, location.workspace, store.users.require(row.creatorId)),
    actions: actionsOf(service, row.id).map((action) =>
      serializeAction(
        service,
        location,
        action,
        settings.embeddedActions,
        settings.embeddedActionStatusField,
      ),
    ),
  };
}

export function serializeAction(
  service: Service,
  location: ProjectLocation,
  row: ActionRow,
  extent: "full" | "summary",
  statusField: "status" | "last_execution_status" = "last_execution_status",
): Json {
  return {
    ...service.links.inProject(location, "pipelines", row.pipelineId, "actions", row.id),
    id: row.id,
    name: row.name,
    type: row.type,
    trigger_time: row.trigger_time,
    run_only_on_first_failure: row.run_only_on_first_failure,
    [statusField]: row.status,
    ...(extent === "full" ? serializeTypeFields(service, row) : {}),
  };
}
