import { argsSchema, type Definition, type Fields } from "./definition.js";

/**
 * The declared arguments of an object whose values nobody can check against the service: it never shows them, nor an
 * masked form of them that would tell of a change.
 * @param outputs what the state holds of the object; `observed` has the masked forms that the service showed
 */
export function unverifiableOf(definition: Definition, args: Fields, outputs: Fields): string[] {
  const observed = (outputs["observed"] ?? {}) as Fields;
  const unseen = [
    ...definition.writeOnly(args),
    ...definition.masked(args).filter((name) => observed[name] === undefined),
  ];
  const own = Object.keys(argsSchema(definition, args).shape);
  return own.filter((name) => unseen.includes(name) && args[name] !== undefined && args[name] !== null);
}
