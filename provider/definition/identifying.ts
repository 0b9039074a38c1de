/** Which arguments identify an object. */
import type { Definition } from "./definition.js";

const identifying = new WeakMap<Definition, ReadonlySet<string>>();

/**
 * The arguments that identify an object, refer to another one, or decide what kind of object it is. They become part of addresses, ids
 * and messages, and every plan shows them. So none of them can be secret.
 */
export function listIdentifyingArgs(definition: Definition): ReadonlySet<string> {
  const known = identifying.get(definition);
  if (known !== undefined) return known;
  const { naturalKey, id, identity, references, variants, clientOnly, document, alwaysShown } = definition;
  const referring = Object.entries(references).flatMap(([arg, { copies = {}, identity: same }]) => [
    ...[arg, ...Object.keys(copies)],
    ...(same === undefined ? [] : [same]),
  ]);
  const placed = document === undefined ? [] : [document.keyedBy, document.numberedBy ?? document.keyedBy];
  const choosing = variants === undefined ? [] : [variants.chosenBy, ...variants.modes];
  const names = ["workspace", ...naturalKey, ...id, identity.state, ...referring, ...placed, ...choosing];
  const all = new Set([...names, ...clientOnly, ...alwaysShown]);
  identifying.set(definition, all);
  return all;
}
