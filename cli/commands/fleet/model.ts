/** Schema of the JSON report of a fleet. */
import { z } from "zod";
import { reportParts } from "../../reporters/shared-schemas.js";
import { fleetCommands } from "./child-process.js";
import { fleetResultSchema } from "./result.js";
import { reviewParts } from "./review.js";

export const fleetReportSchema = z
  .strictObject({
    ...reportParts(2),
    command: z.enum(fleetCommands),
    exitCode: z.int().describe("The exit code of the worst workspace, or 1 when a gate is closed."),
    fingerprint: z
      .string()
      .optional()
      .describe(
        "Of a preview: one fingerprint over the plans of all workspaces, which `fleet up --approved` accepts. Absent if a workspace has no plan.",
      ),
    shard: z
      .strictObject({
        index: z.int().describe("This shard, from 1."),
        count: z.int().describe("Number of shards."),
        of: z.record(z.string(), z.int()).describe("Number of the shard of each workspace."),
      })
      .optional()
      .describe("With --shard."),
    gates: z
      .array(z.strictObject({ wave: z.string(), result: z.enum(["open", "closed"]), summary: z.string() }))
      .optional()
      .describe("The gates that were checked before waves."),
    removed: z
      .array(z.strictObject({ name: z.string(), file: z.string(), stack: z.string() }))
      .optional()
      .describe("With --changed-since: entries that the fleet file no longer has."),
    groups: reviewParts.groups.optional(),
    notes: reviewParts.notes.optional(),
    workspaces: z.array(fleetResultSchema),
  })
  .meta({
    title: "Fleet report",
    description: "What the commands of `workspacectl fleet` print with `--format json`.",
  });
