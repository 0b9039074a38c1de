/** The schedule of a pipeline. The service accepts it but does not show it, and documents no way to change a CRON expression. */
import { z } from "zod";
import type { MeasuredBehavior } from "../assumptions/behavior.js";
import type { Pipeline } from "../client/api/pipelines.js";
import { UNKNOWN } from "../diff/values.js";
import { findCronProblem } from "./cron/expression.js";
import type { RefusedChange } from "./definition/definition.js";
import { utcDate } from "./definition/formats.js";
import type { WrittenArgs } from "./definition/handlers.js";
import { choice, flag, optional, text } from "./definition/primitives.js";
import type { ProblemCode } from "./definition/problems.js";

export const schedule = ["startDate", "delay", "cron", "runAlways", "paused"] as const;

export const scheduleArgs = {
  startDate: optional(
    utcDate,
    "First run of a SCHEDULED pipeline, ISO 8601 in UTC. Required, with `delay`, unless `cron` is set.",
    "2026-01-31T08:00:00Z",
  ),
  delay: optional(
    z.int().positive(),
    "Time between the runs of a SCHEDULED pipeline. The service documents no unit. Required, with `startDate`, unless `cron` is set.",
    1440,
  ),
  cron: optional(
    text,
    "Schedule of a SCHEDULED pipeline, as a CRON expression: minute, hour, day of the month, month, weekday. With it, " +
      "`startDate` and `delay` are optional. The service documents neither its scheduler nor its time zone.",
    "0 2 * * *",
  ),
  runAlways: flag(
    "SCHEDULED only: true runs only if the branch has changed since the last run, contrary to what the name suggests.",
  ),
  paused: flag("SCHEDULED only: keeps the schedule but starts no runs."),
};

export const cronUpdates = optional(
  choice({
    replace: "Replaces the pipeline. Its history and its unmanaged objects are lost.",
    patch: "Sends the new schedule, although the service does not document this.",
  }),
  "How to apply a changed `cron`, or one that was lost by an outside change of `triggerMode`. The service documents no " +
    "way to do this: `replace` replaces the pipeline (its history and its unmanaged objects are lost), `patch` sends the " +
    "new schedule anyway.",
);

export const cronSyntax = optional(
  choice({ unchecked: "Sends the `cron` as it is written." }),
  "Which `cron` is sent: without it, one that some scheduler is known to accept.",
);

type ScheduleArgs = WrittenArgs<
  typeof scheduleArgs & { readonly cronUpdates: typeof cronUpdates; readonly cronSyntax: typeof cronSyntax }
> & {
  readonly triggerMode?: unknown;
};

/** A change of a pipeline's arguments. */
interface ScheduleChange {
  readonly olds: ScheduleArgs & { readonly name?: unknown };
  readonly news: ScheduleArgs;
  readonly changed: readonly string[];
  readonly behavior?: MeasuredBehavior;
}

/** Reports a SCHEDULED pipeline without a schedule, a schedule of any other pipeline, and what no scheduler takes as a `cron`. */
export function checkSchedule(
  args: ScheduleArgs,
  problem: (property: (typeof schedule)[number], message: string, code: ProblemCode) => void,
): void {
  const given = (name: (typeof schedule)[number]) => args[name] !== undefined && args[name] !== null;
  if (args.triggerMode === "SCHEDULED") {
    const missing = given("cron") ? [] : (["startDate", "delay"] as const).filter((name) => !given(name));
    if (missing.length === 2)
      problem(
        "cron",
        "is required with triggerMode: SCHEDULED, unless startDate and delay are set",
        "required",
      );
    else
      for (const name of missing)
        problem(name, "is required with triggerMode: SCHEDULED, unless cron is set", "required");
  } else if (args.triggerMode === "MANUAL" || args.triggerMode === "ON_EVERY_PUSH") {
    for (const name of schedule) if (given(name)) problem(name, "needs triggerMode SCHEDULED", "conflict");
  }
  const { cron, cronSyntax } = args;
  if (typeof cron !== "string" || cron === UNKNOWN || cronSyntax !== undefined) return;
  const reason = findCronProblem(cron);
  if (reason !== undefined)
    problem(
      "cron",
      `is not a CRON expression: ${reason}. An example: 0 2 * * * (every night at 2:00). To send it anyway, set cronSyntax: unchecked`,
      "wrong-format",
    );
}

/** The schedule of a pipeline whose trigger mode was changed outside: the service keeps none for another mode. */
export function listLostSchedule({
  trigger_mode: mode,
}: Pick<Pipeline, "trigger_mode">): typeof schedule | [] {
  return mode === undefined || mode === null || mode === "SCHEDULED" ? [] : schedule;
}

/** The reason why a changed CRON expression is refused. */
export function refuseOtherCron({
  olds,
  news,
  changed,
  behavior,
}: ScheduleChange): RefusedChange | undefined {
  if (changed.includes("cron") && news.cronUpdates === "patch" && behavior?.cronUpdates === false)
    return {
      message: `pipeline "${String(olds.name)}" cannot get another cron: according to the profile of this connection, the service ignores or refuses it`,
      remedy:
        "Set cronUpdates: replace to replace the pipeline (its history and unmanaged actions are lost), or change it in the web application",
    };
  if (!changed.includes("cron") || news.cron === undefined || news.cronUpdates !== undefined)
    return undefined;
  const what =
    olds.triggerMode === "SCHEDULED"
      ? "cannot get another cron: the service documents no way to change it"
      : `is ${String(olds.triggerMode)} and has no schedule, and the service documents no way to set a cron`;
  return {
    message: `pipeline "${String(olds.name)}" ${what}`,
    remedy:
      "Set cronUpdates: replace to replace the pipeline (its history and unmanaged actions are lost), or cronUpdates: patch to send the cron anyway",
  };
}

/** Whether a PATCH has to contain both the start date and the delay (spec, PATCH pipeline). */
export function repeatsSchedule(args: { readonly triggerMode?: unknown; readonly cron?: unknown }): boolean {
  return args.triggerMode === "SCHEDULED" && args.cron === undefined;
}
