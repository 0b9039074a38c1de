/** Schedules of a workspace file. */
import type { Entry } from "../load/entries.js";
import type { Linted } from "./lint-document.js";

export interface Schedule {
  readonly pipeline: Entry;
  readonly cron: string;
}

/** Returns the pipelines with a known CRON expression. */
export function* listSchedules(linted: Linted): Generator<Schedule> {
  for (const pipeline of linted.of("Pipeline")) {
    const cron = linted.text(pipeline, "cron");
    if (pipeline.written["triggerMode"] === "SCHEDULED" && cron !== undefined) yield { pipeline, cron };
  }
}
