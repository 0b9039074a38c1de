/** Parts of the schemas of several reports. */
import { z } from "zod";

export const place = z
  .strictObject({
    file: z.string().describe("The file, as it was named."),
    line: z.int().describe("Line, from 1."),
    column: z.int().describe("Column, from 1."),
  })
  .describe("Where it is declared.");

export const count = z.int().min(0);

export const tool = z.strictObject({ name: z.literal("workspacectl"), version: z.string() });

/** Properties of every finding. */
export const findingParts = {
  id: z.string().describe("Tells the finding from all others, the same in every run."),
  type: z.string().describe("Resource type, such as Group."),
  path: z
    .string()
    .describe("The property, such as executeCommands[1]; empty when the whole object is concerned."),
  pathParts: z.array(z.union([z.string(), z.int()])).describe("The path in parts."),
  secret: z.boolean().describe("The values are fingerprints: equal values have equal ones."),
  note: z.string().optional().describe("What else there is to know."),
};
