/** Documents with one entry of a type, made of the example of its definition. */
import { type Definition, getDefinition } from "../../provider/index.js";

type Fields = Record<string, unknown>;

/** Returns the required arguments of an example, without references. */
export function example(definition: Definition): Fields {
  const variant = Object.values(definition.variants?.of ?? {})[0];
  const all = { ...definition.examples.create, ...variant?.examples.create };
  const own = Object.entries(all).filter(([, value]) => !String(value).startsWith("@"));
  return Object.fromEntries(own.filter(([name]) => name !== definition.document?.keyedBy));
}

/** Returns a document with one entry of a type, inside its required parents. */
export function documentWith(definition: Definition, key: string, args: Fields): Fields {
  const place = definition.document;
  if (!place) throw new Error(`${definition.type} is not written in a file`);
  const entry =
    place.form === "keys"
      ? [key]
      : place.form === "list"
        ? [{ [place.keyedBy]: key, ...args }]
        : { [key]: args };
  const [parent = "workspace"] = Object.keys(place.under);
  if (parent === "workspace") return { version: 1, [place.section]: entry };
  const holder = getDefinition(parent);
  return documentWith(holder, "holder", { ...example(holder), [place.section]: entry });
}
