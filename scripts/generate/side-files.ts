/** The published schemas of files that stand beside a workspace file. */
import { z } from "zod";
import { format } from "prettier";
import { peopleSchema } from "../../cli/export/people.js";
import { mappingSchema } from "../../cli/mapping/file.js";

const schemas = { "replicate-mapping": mappingSchema, people: peopleSchema };

export async function sideFileSchemas(): Promise<Record<string, string>> {
  const texts = Object.entries(schemas).map(async ([name, schema]): Promise<[string, string]> => {
    const json = JSON.stringify(z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" }));
    return [`schema/${name}.schema.json`, await format(json, { parser: "json", printWidth: 110 })];
  });
  return Object.fromEntries(await Promise.all(texts));
}
