import { formatDate } from "../clock.js";
import type { ActionRow, PipelineRow, ProjectRow, WorkspaceRow } from "../model.js";
import type { Service } from "../service.js";
import { date, flag, integer, links, objectOf, text, textOrNull, view } from "../view.js";
import { memberSummary, showMember } from "./people.js";
import { projectSummary, showProject } from "./projects.js";
import { showTypeFields } from "../actions/registry.js";
import { executionStatuses } from "../words.js";

/** Answers about pipelines and actions. */
const status = { ...text, values: executionStatuses } as const;

export const pipelineSummary = view("PipelineSummary", {
  ...links,
  id: integer,
  name: text,
  trigger_mode: { ...text, values: ["MANUAL", "SCHEDULED", "ON_EVERY_PUSH"] },
  ref_name: text,
  last_execution_status: status,
  last_execution_revision: textOrNull,
});

export const actionView = view("Action", {
  ...links,
  id: integer,
  name: text,
  type: text,
  trigger_time: text,
  run_only_on_first_failure: flag,
  // One of the two; see the spec, "Action (common fields)".
  last_execution_status: { ...status, optional: true },
  status: { ...status, optional: true },
  pipeline: { type: "object", fields: pipelineSummary.fields, optional: true },
});

export const pipelineFull = view("Pipeline", {
  ...pipelineSummary.fields,
  ref_type: { ...text, values: ["BRANCH", "TAG", "WILDCARD", "PULL_REQUEST", "NONE"] },
  create_date: date,
  always_from_scratch: flag,
  auto_clear_cache: flag,
  no_skip_to_most_recent: flag,
  do_not_create_commit_status: flag,
  project: objectOf(projectSummary),
  creator: objectOf(memberSummary),
  actions: { type: "objects", fields: actionView.fields },
});

type Json = Record<string, unknown>;

/** Where an object of a project is. */
export interface At {
  workspace: WorkspaceRow;
  project: ProjectRow;
}

export function showPipeline(service: Service, { workspace, project }: At, row: PipelineRow): Json {
  return {
    ...service.links.inWorkspace(workspace.domain, "projects", project.name, "pipelines", row.id),
    id: row.id,
    name: row.name,
    trigger_mode: row.trigger_mode,
    ref_name: row.ref_name,
    last_execution_status: row.status,
    last_execution_revision: row.last_execution_revision,
  };
}

/** A pipeline's actions in their order. */
export function actionsOf(service: Service, pipelineId: number): ActionRow[] {
  return service.store.actions.of(pipelineId).toSorted((a, b) => a.position - b.position);
}

export function showPipelineFull(service: Service, at: At, row: PipelineRow): Json {
  const { settings, store } = service;
  return {
    ...showPipeline(service, at, row),
    ref_type: row.ref_type,
    create_date: formatDate(row.createdAt),
    always_from_scratch: row.always_from_scratch,
    auto_clear_cache: row.auto_clear_cache,
    no_skip_to_most_recent: row.no_skip_to_most_recent,
    do_not_create_commit_status: row.do_not_create_commit_status,
    project: showProject(service, at.workspace, at.project),
    creator: showMember(service, at.workspace, store.users.need(row.creatorId)),
    actions: actionsOf(service, row.id).map((action) =>
      showAction(service, at, action, settings.embeddedActions, settings.embeddedActionStatusField),
    ),
  };
}

export function showAction(
  service: Service,
  { workspace, project }: At,
  row: ActionRow,
  extent: "full" | "summary",
  statusField: "status" | "last_execution_status" = "last_execution_status",
): Json {
  return {
    ...service.links.inWorkspace(
      workspace.domain,
      "projects",
      project.name,
      "pipelines",
      row.pipelineId,
      "actions",
      row.id,
    ),
    id: row.id,
    name: row.name,
    type: row.type,
    trigger_time: row.trigger_time,
    run_only_on_first_failure: row.run_only_on_first_failure,
    [statusField]: row.status,
    ...(extent === "full" ? showTypeFields(service, row) : {}),
  };
}
