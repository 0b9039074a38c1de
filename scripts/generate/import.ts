/** The published schema of what `workspacectl import --json` prints. */
import { z } from "zod";
import { format } from "prettier";
import { importReport } from "../../cli/import/report.js";

export async function importSchemas(): Promise<Record<string, string>> {
  const json = JSON.stringify(z.toJSONSchema(importReport, { target: "draft-2020-12" }));
  return { "schema/import-report.schema.json": await format(json, { parser: "json", printWidth: 110 }) };
}
