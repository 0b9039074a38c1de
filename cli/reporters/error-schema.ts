/** Schema of the JSON that a failed command prints, and its type. */
import { z } from "zod";
import { place } from "./shared-schemas.js";

export const errorReportSchema = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("Kind of the error, such as usage, unauthorized or refused; stays the same."),
      message: z.string().describe("What is wrong, where, and what to do. May contain several lines."),
      remedy: z.string().describe("What to do about it."),
      location: place.optional(),
    }),
  })
  .meta({
    title: "Error",
    description:
      "What a command prints with `--json` or `--format json` when it fails. The exit code says so, too.",
  });

export type ErrorReport = z.infer<typeof errorReportSchema>;
