/** The published schemas of drift: of its report, and of the file that says what to ignore. */
import { z } from "zod";
import { format } from "prettier";
import { ignoreSchema } from "../../cli/drift/ignore.js";
import { reportSchema } from "../../cli/drift/model.js";

export async function driftSchemas(): Promise<Record<string, string>> {
  const written = (schema: z.ZodType) =>
    format(JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12" })), {
      parser: "json",
      printWidth: 110,
    });
  return {
    "schema/drift-report.schema.json": await written(reportSchema),
    "schema/drift-ignore.schema.json": await written(ignoreSchema),
  };
}
