/** The published schema of fleet.yaml. */
import { z } from "zod";
import { format } from "prettier";
import { fleetSchema } from "../../cli/fleet/file.js";

export async function fleetSchemas(): Promise<Record<string, string>> {
  const schema = z.toJSONSchema(fleetSchema, { target: "draft-2020-12", io: "input" });
  return {
    "schema/fleet.schema.json": await format(JSON.stringify(schema), { parser: "json", printWidth: 110 }),
  };
}
