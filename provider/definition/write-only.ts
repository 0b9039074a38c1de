/** Arguments that cannot be verified. */
import { getArgsSchema, type Definition, type Fields } from "./definition.js";

/**
 * The declared arguments that cannot be verified: the service shows neither the value nor a masked form that would reveal a
 * change.
 * @param outputs the state of the object; `observed` has the masked forms that the service showed
 */
export function listUnverifiable(definition: Definition, args: Fields, outputs: Fields): string[] {
  const observed = (outputs["observed"] ?? {}) as Fields;
  const unseen = [
    ...definition.writeOnly(args),
    ...definition.masked(args).filter((name) => observed[name] === undefined),
  ];
  const own = Object.keys(getArgsSchema(definition, args).shape);
  return own.filter((name) => unseen.includes(name) && args[name] !== undefined && args[name] !== null);
}
