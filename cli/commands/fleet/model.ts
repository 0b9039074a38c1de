/** Schema of the JSON report of a fleet. */
import { z } from "zod";
import { reportParts } from "../../reporters/published.js";
import { fleetResultSchema } from "./result.js";

export const fleetReportSchema = z
  .strictObject({
    ...reportParts(1),
    command: z.enum(["preview", "up", "drift"]),
    exitCode: z.int().describe("The exit code of the worst workspace, or 1 when a gate is closed."),
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
    workspaces: z.array(fleetResultSchema),
  })
  .meta({
    title: "Fleet report",
    description: "What `workspacectl fleet preview`, `up` and `drift` print with `--format json`.",
  });
