/** Schema of what `workspacectl executions` and `workspacectl run` print as JSON: objects of the service. */
import { z } from "zod";

const summary = z.looseObject({
  id: z.int(),
  status: z.string().describe("Such as INPROGRESS, SUCCESSFUL or FAILED."),
  start_date: z.string().nullish(),
  finish_date: z.string().nullish().describe("null while it runs."),
});

const execution = summary.extend({
  action_executions: z
    .array(z.looseObject({ status: z.string(), action: z.looseObject({}).nullish() }))
    .nullish()
    .describe("Its actions."),
});

export const executionsReportSchema = z.union([execution, z.array(summary)]).meta({
  title: "Executions",
  description:
    "What `workspacectl executions` and `workspacectl run` print with `--json`: objects of the service, with the fields of its API. Only the fields that every response has are named.",
});
