/** Schema of the JSON report of `workspacectl owners`. */
import { z } from "zod";
import { object, place, reportParts } from "../../reporters/shared-schemas.js";

const objects = z.array(z.strictObject(object));

export const ownersReportSchema = z
  .strictObject({
    ...reportParts(1),
    workspace: z.string().optional().describe("Domain of the workspace, if it is known."),
    baseUrl: z.string().optional().describe("Address of the service, if the workspace was read."),
    live: z.boolean().describe("Whether the workspace was read, and not the files alone."),
    files: z.array(
      z.strictObject({
        file: z.string(),
        owns: z
          .array(z.strictObject({ pattern: z.string(), place }))
          .optional()
          .describe("Patterns of what it owns. Absent when it owns what it declares."),
        objects: z.array(
          z.strictObject({
            ...object,
            declared: z.boolean().describe("The file declares it."),
            exists: z.boolean().optional().describe("It is in the workspace. Absent when that is not known."),
            pattern: z.string().optional().describe("The pattern that owns it."),
          }),
        ),
      }),
    ),
    unowned: objects.describe("What nobody owns: of the workspace, or of what the files refer to."),
    notIdentified: objects.describe("People whom the service does not identify, and their memberships."),
    incomplete: z
      .array(
        z.strictObject({
          type: object.type,
          name: z.string().optional().describe("The object, or its parent; absent for the workspace."),
          only: z
            .string()
            .optional()
            .describe("The only objects that are affected, if `name` is their parent."),
          reason: z.string().describe("Why."),
        }),
      )
      .describe("What could not be read."),
  })
  .meta({ title: "Owners report", description: "What `workspacectl owners --json` prints." });
