/** The schema of the report of `access`. */
import { z } from "zod";
import { reportParts } from "./report-schemas.js";

const defineLevel = (of: string) =>
  z.string().optional().describe(`Level for ${of}, such as READ_WRITE. Absent where it is not known.`);

export const accessReportSchema = z
  .strictObject({
    ...reportParts(1),
    workspace: z.string().describe("Domain of the workspace."),
    source: z.enum(["declared", "live"]).describe("The file, or the live workspace."),
    projects: z.array(z.string()).describe("Names of the projects."),
    rows: z
      .array(
        z.strictObject({
          member: z.string().describe("E-mail address, or `member <id>` where it is not known."),
          admin: z.boolean().optional().describe("Administrator. Absent where it is not known."),
          owner: z.boolean().describe("Owner of the workspace."),
          projects: z
            .record(
              z.string(),
              z.strictObject({
                permissionSet: z
                  .string()
                  .optional()
                  .describe("Name of the permission set. Absent for an administrator who is not a member."),
                repository: defineLevel("the repository"),
                pipelines: defineLevel("pipelines"),
              }),
            )
            .describe("Rights in the projects that the person is a member of."),
        }),
      )
      .describe("The people."),
    unread: z.array(z.string()).describe("What could not be read, and why."),
  })
  .meta({ title: "Access report", description: "What `workspacectl access --format json` prints." });
