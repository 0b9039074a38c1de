/** Names that the service hides and the caller knows. */
import type { Context } from "../../resources/definition/context.js";
import type { Definition } from "../../resources/definition/definition.js";
import { definitions } from "../../resources/registry.js";

/** Names that the service hides and the caller knows (such as e-mail addresses of members), by type and by the id of the object. */
export type KnownNames = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** The names of objects that a file can declare. Objects that the service creates by itself are not declared, so no name may refer to them. */
export async function readDeclarableNames(context: Context, names: KnownNames): Promise<KnownNames> {
  const types = definitions.filter(({ type, document }) => document !== undefined && names.has(type));
  const kept = types.map(async (definition): Promise<[string, ReadonlyMap<number, string>]> => {
    const all = [...(names.get(definition.type) ?? [])];
    const declared = await Promise.all(all.map(async ([id]) => !(await isOwn(definition, context, id))));
    return [definition.type, new Map(all.filter((_name, index) => declared[index]))];
  });
  return new Map(await Promise.all(kept));
}

async function isOwn(definition: Definition, context: Context, id: number): Promise<boolean> {
  const remote = { [definition.identity.apiName]: id };
  return (await definition.ignoreUnmanaged?.(context, remote, {})) !== undefined;
}
