/** The schema of the report of `whoami`. */
import { z } from "zod";
import { count, reportParts } from "./report-schemas.js";

export const whoamiReportSchema = z
  .strictObject({
    ...reportParts(1),
    user: z
      .strictObject({ id: z.int(), name: z.string().nullable() })
      .nullable()
      .describe("The current user; null when the token may not read it."),
    connection: z.string().describe("Name of the connection."),
    baseUrl: z.string().describe("Address of the service."),
    workspace: z.string().nullable().describe("Domain of the workspace; null when none is chosen."),
    admin: z
      .boolean()
      .nullable()
      .describe("Whether the user is an administrator of the workspace; null when the service does not say."),
    credentials: z.string().describe("Kind of the credentials and where they come from, for people."),
    scopes: z
      .array(z.string())
      .nullable()
      .describe("Scopes that the login requested; null for a token whose scopes are not known."),
    requests: z
      .strictObject({
        left: count.nullable(),
        limit: count.nullable(),
        resetAt: z.string().nullable().describe("ISO 8601 in UTC."),
      })
      .describe("Remaining requests, as far as the service shows them."),
  })
  .meta({ title: "Whoami report", description: "What `workspacectl whoami --json` prints." });
