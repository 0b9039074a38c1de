/** What we assume of pipelines and their executions. */
import { defineGroup } from "./assumption.js";

const undo = "the scratch project";

export const pipelineAssumptions = defineGroup("Pipelines", [
  {
    id: "show-schedule",
    title: "A schedule in a response",
    assumed: "The service does not return the schedule of a pipeline.",
    why: "The specification lists its fields for requests only.",
    affects: "Drift of a schedule, which is reported as not verifiable.",
    check: { requests: ["GET .../pipelines/:id of a SCHEDULED pipeline"], writes: false },
    behavior: "showSchedule",
    otherwise: "The values are not compared yet, because their form is not known.",
  },
  {
    id: "cron-updates",
    title: "Another cron",
    assumed:
      "A PATCH may accept `cron`, although it is not documented. Nobody relies on it unless they say so.",
    why: "The specification lists it for a creation only.",
    affects: "`cronUpdates: patch`.",
    check: { requests: ["PATCH .../pipelines/:id cron", "GET .../pipelines/:id"], writes: true, undo },
    behavior: "cronUpdates",
    otherwise: "`cronUpdates: patch` is refused in the preview. `replace` still works.",
  },
  {
    id: "cron-alone",
    title: "A schedule of a cron alone",
    assumed: "A SCHEDULED pipeline with a `cron` of five fields needs neither `start_date` nor `delay`.",
    why: "The specification says that each is required without the other, and calls the expression standard.",
    affects: "Every scheduled pipeline.",
    check: { requests: ["POST .../pipelines trigger_mode SCHEDULED, cron, paused"], writes: true, undo },
    otherwise: "Declare `startDate` and `delay` with the `cron`, or instead of it.",
  },
  {
    id: "lost-schedule",
    title: "A pipeline that is no longer SCHEDULED",
    assumed: "It has lost its schedule.",
    why: "The specification allows the fields with SCHEDULED only.",
    affects: "Drift, which reports the loss, and the next `up`, which sends the schedule again.",
    check: { impossible: "the service does not show whether it keeps a schedule that it does not use" },
    otherwise: "The schedule is sent once more than needed.",
  },
  {
    id: "delay-unit",
    title: "The unit of a delay",
    assumed: "Nothing: the number is passed through. The emulator takes it for minutes.",
    why: "The specification names no unit.",
    affects: "When a scheduled pipeline runs.",
    check: { impossible: "it would take a run of a pipeline, and its time" },
    otherwise: "Compare the first two runs in the web application.",
  },
  {
    id: "empty-repository",
    title: "An empty repository",
    assumed: "A new project has no branch that could be run or branched from.",
    why: "There is no commit yet.",
    affects: "A branch or an execution waits for the first file that the same project declares.",
    check: { requests: ["GET .../repository/commits of a new project"], writes: true, undo },
    otherwise: "The wait costs nothing.",
  },
]);
