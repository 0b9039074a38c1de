/** The defaults of omitted arguments. */
import type { z } from "zod";
import { listApiKeys } from "./api-names.js";
import { type Definition, type Fields, getArgsShape } from "./definition.js";

/** The default of an omitted argument; undefined for one that is not managed. */
export function getDefault(definition: Definition, args: Fields, name: string): unknown {
  const shape = getArgsShape(definition, args);
  return getDefaultIn(shape[name]);
}

/** The defaults of the arguments that the service shows: a refresh compares them even when they are not declared. */
export function listRemoteDefaults(definition: Definition, args: Fields): Fields {
  const unseen = [...definition.clientOnly, ...definition.writeOnly(args)];
  const shape = getArgsShape(definition, args);
  const found = Object.entries(shape).filter(
    ([name, schema]) =>
      getDefaultIn(schema) !== undefined &&
      !unseen.includes(name) &&
      listApiKeys(definition, name, undefined).length > 0,
  );
  return Object.fromEntries(found.map(([name, schema]) => [name, getDefaultIn(schema)]));
}

function getDefaultIn(schema: z.ZodType | undefined): unknown {
  return schema?.meta()?.["default"];
}
