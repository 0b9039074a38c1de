/** Creates, changes and deletes pipelines. */
import { Cron } from "croner";
import { z } from "zod";
import type { ProjectLocation } from "../context.js";
import { refTypes, triggerModes } from "../enums.js";
import { createBadRequestError, createEmptyValueError } from "../errors.js";
import { type BodyOf, type Fields, flag, inputDate, integer, nonBlank, withoutNulls } from "../fields.js";
import type * as model from "../model.js";
import type { Service } from "../service.js";
import { requireUnusedName } from "./names.js";

/** Operations on pipelines that routes and seed share. */

const triggerMode = z.enum(triggerModes);
const refType = z.enum(refTypes).nullish();
const optionalFlag = flag.nullish();

const scheduleFields = {
  start_date: inputDate.nullish(),
  delay: integer
    .min(1)
    .nullish()
    .describe("The specification names no unit; the emulator takes it for minutes between two runs."),
  run_always: optionalFlag,
  paused: optionalFlag,
} as const satisfies Fields;

const switches = {
  always_from_scratch: optionalFlag,
  auto_clear_cache: optionalFlag,
  no_skip_to_most_recent: optionalFlag,
} as const satisfies Fields;

export const pipelineBody = {
  name: nonBlank,
  ref_name: nonBlank,
  trigger_mode: triggerMode,
  ref_type: refType,
  ...switches,
  do_not_create_commit_status: optionalFlag,
  cron: nonBlank.nullish(),
  ...scheduleFields,
} as const satisfies Fields;

export const pipelinePatch = {
  name: nonBlank.optional(),
  ref_name: nonBlank.optional(),
  trigger_mode: triggerMode.optional(),
  ref_type: refType,
  last_execution_revision: nonBlank.nullish(),
  ...switches,
  omit_status_sending: optionalFlag,
  // The spec does not list `cron` for PATCH, but where it is sent it must take effect.
  cron: nonBlank.nullish(),
  ...scheduleFields,
} as const satisfies Fields;

const emptySchedule = {
  start_date: null,
  delay: null,
  cron: null,
  run_always: false,
  paused: false,
} as const;

/** Values of the fields that a body omits or empties. */
const emptyPipeline = {
  ref_type: "BRANCH",
  always_from_scratch: false,
  auto_clear_cache: false,
  no_skip_to_most_recent: false,
  do_not_create_commit_status: false,
  last_execution_revision: null,
  ...emptySchedule,
} as const;

const scheduleNames = ["start_date", "delay", "cron", "run_always", "paused"] as const;

type Schedule = Pick<BodyOf<typeof pipelineBody>, (typeof scheduleNames)[number]>;

/** Requires a standard expression of five fields that the scheduler understands. */
function checkCron(cron: string): void {
  if (cron.trim().split(/\s+/).length !== 5) throw createEmptyValueError("cron");
  try {
    new Cron(cron, { timezone: "UTC", paused: true });
  } catch {
    throw createEmptyValueError("cron");
  }
}

/** Checks the schedule: allowed with SCHEDULED only, which requires start_date and delay, or cron. */
function checkSchedule(mode: string | undefined, body: Schedule, known: Pick<Schedule, "cron">): void {
  if (mode !== "SCHEDULED") {
    for (const name of scheduleNames) {
      if (body[name] != null)
        throw createBadRequestError(`'${name}' is allowed only with trigger_mode SCHEDULED.`);
    }
    return;
  }
  if (body.cron != null) checkCron(body.cron);
  const cron = body.cron === undefined ? known.cron : body.cron;
  // Both are required without a cron expression, and optional besides one.
  if (cron != null) return;
  if (body.start_date == null) throw createEmptyValueError("start_date");
  if (body.delay == null) throw createEmptyValueError("delay");
}

export function createPipeline(
  { service, project }: ProjectLocation,
  creator: model.UserRow,
  body: BodyOf<typeof pipelineBody>,
): model.PipelineRow {
  checkSchedule(body.trigger_mode, body, {});
  requireUnusedName(service, "pipelines", service.store.pipelines.of(project.id), body.name);
  const pipeline = service.store.pipelines.insert({
    projectId: project.id,
    ...emptyPipeline,
    ...withoutNulls(body, emptyPipeline),
    status: "INITIAL",
    createdAt: service.clock.now(),
    creatorId: creator.id,
    hidden: false,
    outcomes: [],
    lastScheduledAt: null,
  });
  service.schedules.plan(pipeline);
  return pipeline;
}

export function updatePipeline(
  service: Service,
  row: model.PipelineRow,
  { omit_status_sending, cron, ...sent }: BodyOf<typeof pipelinePatch>,
): model.PipelineRow {
  const { cronUpdates, strictBodies } = service.settings;
  if (cron !== undefined && !cronUpdates && strictBodies)
    throw createBadRequestError("Unknown field 'cron'.");
  const body = cron === undefined || !cronUpdates ? sent : { ...sent, cron };
  const mode = body.trigger_mode ?? row.trigger_mode;
  const entering = body.trigger_mode === "SCHEDULED" && row.trigger_mode !== "SCHEDULED";
  const touched = Object.keys(body).some((name) => ["start_date", "delay", "cron"].includes(name));
  if (mode !== "SCHEDULED" || entering || touched || body.trigger_mode === "SCHEDULED") {
    // A pipeline with a cron expression keeps it. Otherwise start_date and delay must be sent.
    checkSchedule(mode, body, row.cron === null ? {} : { cron: row.cron });
  }
  requireUnusedName(service, "pipelines", service.store.pipelines.of(row.projectId), body.name, row.id);
  Object.assign(row, withoutNulls(body, emptyPipeline));
  if (omit_status_sending !== undefined) row.do_not_create_commit_status = omit_status_sending ?? false;
  if (mode === "SCHEDULED") keepOneSchedule(row, body);
  else Object.assign(row, emptySchedule);
  service.schedules.plan(row);
  return service.store.pipelines.update(row);
}

/** Lets a complete new schedule replace one of the other kind, since a pipeline has one schedule. */
function keepOneSchedule(row: model.PipelineRow, body: Schedule): void {
  if (body.start_date != null && body.delay != null && body.cron == null) row.cron = null;
  if (body.cron != null) {
    row.start_date = body.start_date ?? null;
    row.delay = body.delay ?? null;
  }
}
