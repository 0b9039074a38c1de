/** The published schemas of comparisons: of the report, and of the file that says what is meant to differ. */
import { z } from "zod";
import { format } from "prettier";
import { exceptionsSchema } from "../../cli/compare/exceptions.js";
import { reportSchema } from "../../cli/compare/model.js";

export async function compareSchemas(): Promise<Record<string, string>> {
  const written = (schema: z.ZodType) =>
    format(JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12" })), {
      parser: "json",
      printWidth: 110,
    });
  return {
    "schema/compare-report.schema.json": await written(reportSchema),
    "schema/compare-exceptions.schema.json": await written(exceptionsSchema),
  };
}
