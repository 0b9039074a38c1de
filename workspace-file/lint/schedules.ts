/** Schedules of a workspace file. */
import { type CronExpression, readCron } from "../../resources/index.js";
import type { Entry } from "../load/entries.js";
import type { Linted } from "./lint-document.js";

export interface Schedule extends CronExpression {
  readonly pipeline: Entry;
}

/** Returns the pipelines with a known CRON expression. Others are refused by the loader, sent unchecked, or mock values. */
export function* listSchedules(linted: Linted): Generator<Schedule> {
  for (const pipeline of linted.of("Pipeline")) {
    const cron = linted.text(pipeline, "cron");
    const expression = cron === undefined ? undefined : readCron(cron);
    if (pipeline.written["triggerMode"] === "SCHEDULED" && expression !== undefined)
      yield { pipeline, ...expression };
  }
}
