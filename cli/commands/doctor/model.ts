/** Schema of the JSON report of `workspacectl doctor`. */
import { z } from "zod";
import { reportParts } from "../../reporters/shared-schemas.js";

export const doctorReportSchema = z
  .strictObject({
    ...reportParts(1),
    healthy: z.boolean().describe("Whether nothing is missing; otherwise the exit code is 1."),
    findings: z.array(
      z.strictObject({
        name: z.string().describe("What was checked, such as connection."),
        status: z
          .enum(["ok", "warning", "missing"])
          .describe("`warning` is something that works, or will, but is worth knowing."),
        found: z.string().describe("What was found and where."),
        remedy: z.string().optional().describe("What to do about it. Always there unless the status is ok."),
      }),
    ),
  })
  .meta({ title: "Doctor report", description: "What `workspacectl doctor --json` prints." });

export type DoctorReport = z.infer<typeof doctorReportSchema>;
