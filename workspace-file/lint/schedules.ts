/** The schedules that a file declares. */
import type { Entry } from "../load/entries.js";
import type { Linted } from "./lint-document.js";

export interface Schedule {
  readonly pipeline: Entry;
  readonly cron: string;
}

/** The pipelines that run by a CRON expression whose text is known. */
export function* schedules(linted: Linted): Generator<Schedule> {
  for (const pipeline of linted.of("Pipeline")) {
    const cron = linted.text(pipeline, "cron");
    if (pipeline.written["triggerMode"] === "SCHEDULED" && cron !== undefined) yield { pipeline, cron };
  }
}
