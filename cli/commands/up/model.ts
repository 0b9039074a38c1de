/** Schema of the JSON report of `workspacectl up`. */
import { z } from "zod";
import { runParts, stackParts } from "../../reporters/shared-schemas.js";
import { planChecks, plannedChanges } from "../preview/model.js";

export const upReportSchema = z
  .strictObject({
    ...runParts(1),
    ...stackParts,
    result: z
      .enum(["applied", "nothing", "declined"])
      .describe("nothing: there was nothing to do; declined: the answer to the prompt was no."),
    fingerprint: z.string().describe("Fingerprint of the plan."),
    plan: plannedChanges,
    ...planChecks,
    done: plannedChanges.optional().describe("What was done. Absent if nothing was applied."),
  })
  .meta({ title: "Report of an up", description: "What `workspacectl up --json` prints." });

export type UpReport = z.infer<typeof upReportSchema>;
