/** The defaults of omitted arguments. */
import type { z } from "zod";
import { argsSchema, type Definition, type Fields } from "./definition.js";
import { apiKeys } from "./api-names.js";

/** The default of an omitted argument; undefined for one that is not managed. */
export function defaultOf(definition: Definition, args: Fields, name: string): unknown {
  const shape = argsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
  return defaultIn(shape[name]);
}

/** The defaults of the arguments that the service shows: a refresh compares them even when they are not declared. */
export function remoteDefaults(definition: Definition, args: Fields): Fields {
  const unseen = [...definition.clientOnly, ...definition.writeOnly(args)];
  const shape = argsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>;
  const found = Object.entries(shape).filter(
    ([name, schema]) =>
      defaultIn(schema) !== undefined &&
      !unseen.includes(name) &&
      apiKeys(definition, name, undefined).length > 0,
  );
  return Object.fromEntries(found.map(([name, schema]) => [name, defaultIn(schema)]));
}

function defaultIn(schema: z.ZodType | undefined): unknown {
  return schema?.meta()?.["default"];
}
