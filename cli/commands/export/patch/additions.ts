/** Entries for what the file does not have yet. */
import { escapeKey, unescapeKey } from "../../../../provider/definition/logical-name.js";
import { escapePlaceholders, piecesOf } from "../../../../workspace-file/index.js";
import { argsSchema, definitions, type Fields, type DiscoveredObject } from "../../../../provider/index.js";
import { AsWritten, hasPlaceholder, type Edit } from "../../../../workspace-file/edit/index.js";
import { documentOf } from "../../../../workspace-file/write/write.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { plainDeclaration } from "../declare.js";
import { placeholderOf } from "../placeholders.js";
import { argsInFile, holderOf, type RemoteNames } from "./names.js";

export interface NewEntry {
  readonly edit: Extract<Edit, { add: unknown }>;
  /** The objects that it declares. */
  readonly objects: readonly DiscoveredObject[];
}

export interface Surroundings {
  /** What a new file would say of an object, by name at the service. */
  readonly said: ReadonlyMap<string, Fields>;
  readonly names: RemoteNames;
  /** Names that entries of the file have. */
  readonly taken: ReadonlySet<string>;
  /** Arguments that entries of a type have without saying them. */
  readonly defaults: ReadonlyMap<string, ReadonlySet<string>>;
  /** Told of what is referred to and has no entry. */
  readonly missing: (type: string, key: string) => void;
}

/** What is new, in its order: an edit for each that stands in something that the file has. */
export function additions(objects: readonly DiscoveredObject[], around: Surroundings): NewEntry[] {
  const { names, taken } = around;
  const fresh = new Set(objects.map(({ name }) => name));
  const outer = objects.filter(({ name }) => !fresh.has(holderOf(name)));
  // Names first: they refer to each other.
  for (const { name, key } of objects) {
    const section = `${prefix(names.file(holderOf(name)) ?? "")}${name.split("/").at(-2)}`;
    names.tie(freeName(section, key, taken), name);
  }
  const declarations = objects.map((one) => declarationOf(one, around));
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
  let name = `${section}/${escapeKey(key)}`;
  for (let number = 2; taken.has(name); number += 1) name = `${section}/${escapeKey(key)}-${number}`;
  return name;
}

function declarationOf(
  object: DiscoveredObject,
  { said, names, defaults, missing }: Surroundings,
): ResourceDeclaration {
  const { definition } = object;
  const told = said.get(object.name) ?? {};
  const own = Object.keys(argsSchema(definition, object.args).shape);
  const usual = [...(defaults.get(definition.type) ?? [])].filter(
    (arg) => own.includes(arg) && !(arg in told),
  );
  // What the defaults would say of it, and is not so, has to be said.
  const otherwise = Object.fromEntries(usual.map((arg) => [arg, object.args[arg] ?? null]));
  const args = argsInFile(names, object, { ...told, ...otherwise }, missing);
  return plainDeclaration(definition, names.file(object.name) ?? object.name, args);
}

/** The entry in a document that has all of them. */
function entryAt(document: object, name: string, { definition, args }: DiscoveredObject): unknown {
  const { form, keyedBy = "" } = definition.document ?? {};
  // In a plain list of keys an entry has no more than its key, which may be a number.
  if (form === "keys") return typeof args[keyedBy] === "number" ? args[keyedBy] : null;
  const steps = name.split("/").map((step) => unescapeKey(step));
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
export function writtenEntry(value: unknown): unknown {
  if (value instanceof AsWritten) return value.text;
  if (typeof value === "string") return escapePlaceholders(value);
  if (Array.isArray(value)) return value.map(writtenEntry);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, writtenEntry(inner)]));
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
      return new AsWritten(placeholderOf(free, piece.secret));
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
