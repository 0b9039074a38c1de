/** The published schema of replicate-mapping.yaml. */
import { z } from "zod";
import { format } from "prettier";
import { mappingSchema } from "../../cli/mapping/file.js";

export async function mappingSchemas(): Promise<Record<string, string>> {
  const schema = z.toJSONSchema(mappingSchema, { target: "draft-2020-12", io: "input" });
  return {
    "schema/replicate-mapping.schema.json": await format(JSON.stringify(schema), {
      parser: "json",
      printWidth: 110,
    }),
  };
}
