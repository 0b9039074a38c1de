/** Entries for what the file does not have yet. */
import { escapePlaceholders, piecesOf } from "../../../schema/index.js";
import { definitions, type Fields, type Surveyed } from "../../../provider/index.js";
import { AsWritten, hasPlaceholder, type Edit } from "../../../sdk/nodejs/edit/index.js";
import { documentOf } from "../../../sdk/nodejs/document/index.js";
import type { Declaration } from "../../../sdk/nodejs/load/index.js";
import { argsInFile, escaped, holderOf, type Names } from "./names.js";

export interface Addition {
  readonly edit: Extract<Edit, { add: unknown }>;
  /** The objects that it declares. */
  readonly objects: readonly Surveyed[];
}

/** What is new, in its order: an edit for each that stands in something that the file has. */
export function additions(
  objects: readonly Surveyed[],
  said: ReadonlyMap<string, Fields>,
  names: Names,
  taken: ReadonlySet<string>,
  missing: (type: string, key: string) => void,
): Addition[] {
  const fresh = new Set(objects.map(({ name }) => name));
  const outer = objects.filter(({ name }) => !fresh.has(holderOf(name)));
  // Names first: they refer to each other.
  for (const { name, key } of objects) {
    const section = `${prefix(names.file(holderOf(name)) ?? "")}${name.split("/").at(-2)}`;
    names.tie(freeName(section, key, taken), name);
  }
  const declarations = objects.map((one) => declarationOf(one, said.get(one.name) ?? {}, names, missing));
  const document = documentOf({ declarations });
  return outer.map((one) => {
    const name = names.file(one.name) ?? one.name;
    const within = objects.filter((other) => other === one || other.name.startsWith(`${one.name}/`));
    return { edit: { add: { name, entry: plain(entryAt(document, name, one)) } }, objects: within };
  });
}

const prefix = (holder: string) => (holder === "" ? "" : `${holder}/`);

/** The entry of another object may have the key already. */
function freeName(section: string, key: string, taken: ReadonlySet<string>): string {
  let name = `${section}/${escaped(key)}`;
  for (let number = 2; taken.has(name); number += 1) name = `${section}/${escaped(key)}-${number}`;
  return name;
}

function declarationOf(
  object: Surveyed,
  said: Fields,
  names: Names,
  missing: (type: string, key: string) => void,
): Declaration {
  const args = argsInFile(names, object, said, missing);
  const name = names.file(object.name) ?? object.name;
  const none = {
    formerNames: [],
    path: [],
    secrets: [],
    retain: false,
    protect: undefined,
    after: undefined,
  };
  return { definition: object.definition, name, args, ...none };
}

/** The entry in a document that has all of them. */
function entryAt(document: object, name: string, { definition, args }: Surveyed): unknown {
  const { form, keyedBy = "" } = definition.document ?? {};
  // In a plain list of keys an entry has no more than its key, which may be a number.
  if (form === "keys") return typeof args[keyedBy] === "number" ? args[keyedBy] : null;
  const steps = name.split("/").map((step) => step.replaceAll("%2F", "/"));
  let entry: unknown = document;
  for (let index = 0; index + 1 < steps.length; index += 2) {
    const [section = "", key = ""] = steps.slice(index);
    entry = itemOf((entry as Fields)[section], section, key);
  }
  return entry;
}

function itemOf(holder: unknown, section: string, key: string): unknown {
  if (!Array.isArray(holder)) return (holder as Fields)[key];
  const kind = definitions.find(({ document }) => document?.section === section && document.form === "list");
  const { keyedBy = "" } = kind?.document ?? {};
  return (holder as Fields[]).find((item) => unescaped(item["key"] ?? item[keyedBy]) === key);
}

const unescaped = (text: unknown) => (typeof text === "string" ? text.replaceAll("$${", "${") : text);

/** Texts as an edit takes them: plain, or with their placeholders. */
function plain(value: unknown): unknown {
  if (typeof value === "string") return hasPlaceholder(value) ? new AsWritten(value) : unescaped(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** The way back: texts as a document has them. */
export function asWritten(value: unknown): unknown {
  if (value instanceof AsWritten) return value.text;
  if (typeof value === "string") return escapePlaceholders(value);
  if (Array.isArray(value)) return value.map(asWritten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asWritten(inner)]));
}

/** Placeholders under names that the file does not use for another value yet. */
export class FreeVariables {
  constructor(private readonly taken: Set<string>) {}

  in(value: unknown, renamed: (from: string, to: string) => void): unknown {
    if (value instanceof AsWritten) {
      const [piece] = piecesOf(value.text);
      if (typeof piece !== "object" || piece.kind !== "env") return value;
      const free = this.free(piece.body);
      renamed(piece.body, free);
      return new AsWritten(`\${env:${free}}`);
    }
    if (Array.isArray(value)) return value.map((item) => this.in(item, renamed));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.in(inner, renamed)]));
  }

  private free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.taken.has(name); number += 1) name = `${wanted}_${number}`;
    this.taken.add(name);
    return name;
  }
}
