import { formatDate } from "../clock.js";
import type { ActionExecution, ExecutionRow } from "../model.js";
import type { Service } from "../service.js";
import { date, dateOrNull, flag, integer, links, objectOf, text, textOrNull, view } from "../view.js";
import { actionExecutionStatuses, executionStatuses } from "../words.js";
import { memberSummary, showMember } from "./people.js";
import { actionView, pipelineSummary, showAction, showPipeline, type At } from "./pipelines.js";
import { branchSummary, commitSummary, showBranchSummary, showCommit } from "./repository.js";

/** Answers about executions. */
const fields = {
  ...links,
  id: integer,
  start_date: date,
  finish_date: dateOrNull,
  mode: text,
  refresh: flag,
  status: { ...text, values: executionStatuses },
  comment: textOrNull,
  branch: objectOf(branchSummary, true),
  from_revision: objectOf(commitSummary, true),
  to_revision: objectOf(commitSummary, true),
  creator: objectOf(memberSummary),
} as const;

export const executionSummary = view("ExecutionSummary", fields);

export const executionFull = view("Execution", {
  ...fields,
  pipeline: objectOf(pipelineSummary),
  action_executions: {
    type: "objects",
    fields: {
      status: { ...text, values: actionExecutionStatuses },
      progress: { type: "number" },
      action: objectOf(actionView),
    },
  },
});

type Json = Record<string, unknown>;

async function showRevision(service: Service, at: At, revision: string | null): Promise<Json | null> {
  if (revision === null) return null;
  const commit = await service.repositories.of(at.project).commit(revision);
  return commit === undefined ? null : showCommit(service, at, commit);
}

export async function showExecution(service: Service, at: At, row: ExecutionRow): Promise<Json> {
  const { workspace, project } = at;
  // First everything as it is now: while revisions are read the run goes on.
  const shown = {
    ...service.links.inWorkspace(
      workspace.domain,
      "projects",
      project.name,
      "pipelines",
      row.pipelineId,
      "executions",
      row.id,
    ),
    id: row.id,
    start_date: formatDate(row.startedAt),
    finish_date: row.finishedAt === null ? null : formatDate(row.finishedAt),
    mode: row.mode,
    refresh: row.refresh,
    status: row.status,
    comment: row.comment,
    branch: row.branch === null ? null : showBranchSummary(service, at, row.branch),
    creator: showMember(service, workspace, service.store.users.need(row.creatorId)),
  };
  const [from_revision, to_revision] = await Promise.all(
    [row.from_revision, row.to_revision].map((revision) => showRevision(service, at, revision)),
  );
  return { ...shown, from_revision, to_revision };
}

/** @param moment When to show it: a run that was just begun has made no progress, however long the answer takes. */
export async function showExecutionFull(
  service: Service,
  at: At,
  row: ExecutionRow,
  moment = service.clock.now(),
): Promise<Json> {
  const parts = {
    pipeline: showPipeline(service, at, service.store.pipelines.need(row.pipelineId)),
    action_executions: row.actions.map((each) => ({
      status: each.status,
      progress: progressOf(service, each, moment),
      // As it is now, or as it was when it ran if it is gone.
      action: showAction(service, at, service.store.actions.get(each.actionId) ?? each.action, "full"),
    })),
  };
  return { ...(await showExecution(service, at, row)), ...parts };
}

/** 0.0 to 100.0, one decimal. */
function progressOf(service: Service, { startedAt, finishedAt }: ActionExecution, moment: number): number {
  if (startedAt === null) return 0;
  if (finishedAt !== null) return 100;
  const passed = moment - startedAt;
  const share = passed <= 0 ? 0 : passed / (service.settings.actionSeconds * 1000);
  return Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10;
}
