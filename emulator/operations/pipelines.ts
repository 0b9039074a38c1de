import { Cron } from "croner";
import { badRequest, emptyValue } from "../errors.js";
import type { BodyOf, Fields } from "../fields.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";
import { deleteVariables } from "./variables.js";

/** Making, changing and removing pipelines: for the routes and for the seed. */
const triggerMode = { type: "string", values: ["MANUAL", "SCHEDULED", "ON_EVERY_PUSH"] } as const;
const refType = { type: "string", values: ["BRANCH", "TAG", "WILDCARD", "PULL_REQUEST", "NONE"] } as const;
const bool = { type: "boolean" } as const;

const scheduleFields = {
  start_date: { type: "date" },
  delay: {
    type: "integer",
    min: 1,
    description: "The specification names no unit; the emulator takes it for minutes between two runs.",
  },
  run_always: bool,
  paused: bool,
} as const satisfies Fields;

const switches = {
  always_from_scratch: bool,
  auto_clear_cache: bool,
  no_skip_to_most_recent: bool,
} as const satisfies Fields;

export const pipelineBody = {
  name: { type: "string", required: true },
  ref_name: { type: "string", required: true },
  trigger_mode: { ...triggerMode, required: true },
  ref_type: refType,
  ...switches,
  do_not_create_commit_status: bool,
  cron: { type: "string" },
  ...scheduleFields,
} as const satisfies Fields;

export const pipelinePatch = {
  name: { type: "string", notNull: true },
  ref_name: { type: "string", notNull: true },
  trigger_mode: { ...triggerMode, notNull: true },
  ref_type: refType,
  last_execution_revision: { type: "string" },
  ...switches,
  omit_status_sending: bool,
  // Not in the spec's list for PATCH; where it is sent it must do what it says.
  cron: { type: "string" },
  ...scheduleFields,
} as const satisfies Fields;

type Schedule = Pick<BodyOf<typeof pipelineBody>, "start_date" | "delay" | "cron" | "run_always" | "paused">;

const scheduleNames = ["start_date", "delay", "cron", "run_always", "paused"] as const;

/** A standard expression of five fields that the scheduler understands. */
function checkCron(cron: string): void {
  if (cron.trim().split(/\s+/).length !== 5) throw emptyValue("cron");
  try {
    new Cron(cron, { timezone: "UTC", paused: true });
  } catch {
    throw emptyValue("cron");
  }
}

/** The rules for the schedule's fields: only with SCHEDULED, and then start_date and delay, or cron. */
function checkSchedule(mode: string | undefined, body: Schedule, known: Pick<Schedule, "cron">): void {
  if (mode !== "SCHEDULED") {
    for (const name of scheduleNames) {
      if (body[name] != null) throw badRequest(`'${name}' is allowed only with trigger_mode SCHEDULED.`);
    }
    return;
  }
  if (body.cron != null) checkCron(body.cron);
  const cron = body.cron === undefined ? known.cron : body.cron;
  // Required when there is no cron expression; with one each may stand alone.
  if (cron != null) return;
  if (body.start_date == null) throw emptyValue("start_date");
  if (body.delay == null) throw emptyValue("delay");
}

export function createPipeline(
  service: Service,
  project: model.ProjectRow,
  creator: model.UserRow,
  body: BodyOf<typeof pipelineBody>,
): model.PipelineRow {
  const { store } = service;
  checkSchedule(body.trigger_mode, body, {});
  const pipeline = store.pipelines.insert({
    id: store.newId(),
    projectId: project.id,
    name: body.name,
    trigger_mode: body.trigger_mode,
    ref_type: body.ref_type ?? "BRANCH",
    ref_name: body.ref_name,
    always_from_scratch: body.always_from_scratch ?? false,
    auto_clear_cache: body.auto_clear_cache ?? false,
    no_skip_to_most_recent: body.no_skip_to_most_recent ?? false,
    do_not_create_commit_status: body.do_not_create_commit_status ?? false,
    start_date: body.start_date ?? null,
    delay: body.delay ?? null,
    cron: body.cron ?? null,
    run_always: body.run_always ?? false,
    paused: body.paused ?? false,
    status: "INITIAL",
    last_execution_revision: null,
    createdAt: service.clock.now(),
    creatorId: creator.id,
    hidden: false,
    outcomes: [],
    lastScheduledAt: null,
  });
  service.schedules.plan(pipeline);
  return pipeline;
}

export function changePipeline(
  service: Service,
  row: model.PipelineRow,
  body: BodyOf<typeof pipelinePatch>,
): void {
  const mode = body.trigger_mode ?? row.trigger_mode;
  const entering = body.trigger_mode === "SCHEDULED" && row.trigger_mode !== "SCHEDULED";
  const touched = (["start_date", "delay", "cron"] as const).some((name) => body[name] !== undefined);
  if (mode !== "SCHEDULED" || entering || touched || body.trigger_mode === "SCHEDULED") {
    // A pipeline that runs by a cron expression keeps it; start_date and delay must come with the request otherwise.
    checkSchedule(mode, body, row.cron === null ? {} : { cron: row.cron });
  }
  row.name = body.name ?? row.name;
  row.ref_name = body.ref_name ?? row.ref_name;
  row.trigger_mode = mode;
  if (body.ref_type !== undefined) row.ref_type = body.ref_type ?? "BRANCH";
  if (body.last_execution_revision !== undefined) row.last_execution_revision = body.last_execution_revision;
  for (const name of ["always_from_scratch", "auto_clear_cache", "no_skip_to_most_recent"] as const) {
    if (body[name] !== undefined) row[name] = body[name] ?? false;
  }
  if (body.omit_status_sending !== undefined)
    row.do_not_create_commit_status = body.omit_status_sending ?? false;
  changeSchedule(row, body);
  service.store.pipelines.update(row);
  service.schedules.plan(row);
}

function changeSchedule(row: model.PipelineRow, body: BodyOf<typeof pipelinePatch>): void {
  if (row.trigger_mode !== "SCHEDULED") {
    Object.assign(row, { start_date: null, delay: null, cron: null, run_always: false, paused: false });
    return;
  }
  if (body.cron !== undefined) row.cron = body.cron;
  if (body.start_date !== undefined) row.start_date = body.start_date;
  if (body.delay !== undefined) row.delay = body.delay;
  // One schedule at a time: a whole one that is sent takes the place of the other.
  if (body.start_date != null && body.delay != null && body.cron == null) row.cron = null;
  if (body.cron != null) {
    row.start_date = body.start_date ?? null;
    row.delay = body.delay ?? null;
  }
  for (const name of ["run_always", "paused"] as const) {
    if (body[name] !== undefined) row[name] = body[name] ?? false;
  }
}

export function deletePipeline(service: Service, pipeline: model.PipelineRow): void {
  const { store } = service;
  for (const action of store.actions.of(pipeline.id).slice()) store.actions.remove(action);
  for (const execution of store.executions.of(pipeline.id).slice()) store.executions.remove(execution);
  const { workspaceId } = store.projects.need(pipeline.projectId);
  deleteVariables(service, workspaceId, (row) => row.pipelineId === pipeline.id);
  store.pipelines.remove(pipeline);
  service.schedules.plan(pipeline);
}
