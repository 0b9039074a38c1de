/** Schema of the problems in a workspace file, as `validate` and `lint` print them as JSON. */
import { z } from "zod";
import { count, reportParts } from "./shared-schemas.js";

export const diagnosticsReportSchema = z
  .strictObject({
    ...reportParts(1),
    file: z.string().describe("Path of the file, as given to the command."),
    valid: z.boolean().describe("There are no errors."),
    workspace: z.string().optional().describe("The workspace that a valid file names (`validate`)."),
    objects: z
      .record(z.string(), count)
      .optional()
      .describe("Number of declared objects of each kind (`validate`, if the file is valid)."),
    counts: z.strictObject({ error: count, warning: count, info: count }),
    problems: z.array(
      z.strictObject({
        code: z.string().describe("The code of the problem; it never changes its meaning."),
        severity: z.enum(["error", "warning", "info"]),
        message: z.string(),
        file: z.string().describe("Path of the file, as given to the command."),
        line: z.int().describe("Line, from 1."),
        column: z.int().describe("Column, from 1."),
      }),
    ),
  })
  .meta({
    title: "Problems in a file",
    description: "What `workspacectl validate` and `workspacectl lint` print with `--format json`.",
  });
