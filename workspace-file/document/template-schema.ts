/** Schema of a template in a workspace file. */
import { z } from "zod";
import { text } from "../../resources/definition/primitives.js";

/** Parameter of a template. */
export const parameterSchema = z.strictObject({
  description: text.optional().describe("What the parameter is for."),
  default: z.unknown().optional().describe("Default value. Without it, the parameter is required."),
  enum: z.array(z.unknown()).min(1).optional().describe("Allowed values."),
});

/** Template: an entry with parameters, or several items of an ordered list. */
export const templateSchema = z.strictObject({
  type: text.describe("Type of the entries that may use it, such as Pipeline or Action."),
  description: text.optional().describe("What the template is for."),
  parameters: z
    .record(text, parameterSchema.nullable())
    .optional()
    .describe("Values that differ between uses, by name. `${param:name}` in the body represents the value."),
  entry: z.record(text, z.unknown()).optional().describe("Properties of an entry that uses the template."),
  entries: z
    .array(z.record(text, z.unknown()))
    .optional()
    .describe("Several items of a list, which replace the item that uses the template."),
});
