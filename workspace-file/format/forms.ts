/** Canonical order of the keys of a workspace file, derived from the resource types. */
import { isScalar, type YAMLMap } from "yaml";
import { listArgsFromParent, listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import type { Definition } from "../../resources/index.js";
import { documentHead, entryWords } from "../document/properties.js";

/** Order of the keys of a map, and forms of its values. A list has the form of its items. */
export interface MapForm {
  /** Returns the keys in order. Undefined where the keys are names, which keep their order. */
  readonly keys?: (map: YAMLMap) => readonly string[];
  readonly of: (key: string, map: YAMLMap) => MapForm | undefined;
}

/** Represents all other keys in a list of keys. */
export const REST = "*";
/** Represents the keys that begin with `x-`, since anchors must precede their aliases. */
export const EXTENSIONS = "x-*";

/** Keywords of overlays and templates, which come first because they determine what an entry is. */
const first = ["<<", "$replace", "$remove", "$after", "$before", "key", "template", "with"];
const head = ["version", "include", "workspace", "connection", "stack", "engine", "adopt"];

/** Returns the form of a whole file: a workspace file, a part of one, or an overlay. */
export function buildDocumentForm(kinds: readonly Definition[]): MapForm {
  const formOf: FormOf = (type) => entries.get(type);
  const entries = new Map<string, MapForm>(
    kinds.map((kind) => [kind.type, buildEntryForm(kinds, kind, formOf)]),
  );
  const sections = buildSectionForms(kinds, WORKSPACE, formOf);
  const others = Object.keys(documentHead).filter((key) => ![...head, "defaults", "templates"].includes(key));
  const keys = [...head, ...others, EXTENSIONS, REST, "defaults", "templates", ...sections.keys()];
  const defaults: MapForm = { of: formOf };
  const template = buildTemplateForm(formOf);
  const templates: MapForm = { of: () => template };
  return {
    keys: () => keys,
    of: (key) => (key === "defaults" ? defaults : key === "templates" ? templates : sections.get(key)),
  };
}

type FormOf = (type: string) => MapForm | undefined;

/** Returns the forms of the sections below a parent. Deeper sections come last, so that short ones stay visible. */
function buildSectionForms(
  kinds: readonly Definition[],
  parent: string,
  formOf: FormOf,
): Map<string, MapForm> {
  const under = listKindsUnder(kinds, parent).map((kind) => ({ kind, height: getHeight(kinds, kind.type) }));
  return new Map(
    under
      .sort((a, b) => a.height - b.height)
      .map(({ kind: { type, document } }) => {
        const entry = () => formOf(type);
        const list: MapForm = {
          keys: (map) => entry()?.keys?.(map) ?? [],
          of: (key, map) => entry()?.of(key, map),
        };
        return [document.section, document.form === "map" ? { of: entry } : list];
      }),
  );
}

/** Returns the number of levels of entries below a type. Lists of keys do not count. */
function getHeight(kinds: readonly Definition[], type: string): number {
  const levels = listKindsUnder(kinds, type).filter(({ document }) => document.form !== "keys");
  return Math.max(0, ...levels.map((kind) => 1 + getHeight(kinds, kind.type)));
}

function buildEntryForm(kinds: readonly Definition[], kind: Definition, formOf: FormOf): MapForm {
  const sections = buildSectionForms(kinds, kind.type, formOf);
  const words = ["adopt", ...Object.keys(entryWords)];
  const elsewhere = new Set([...first, ...listArgsFromParent(kind), ...words, ...sections.keys()]);
  const keysBy = new Map<string, readonly string[]>();
  return {
    keys: (map) => {
      const variant = getVariant(kind, map);
      const known = keysBy.get(variant);
      if (known !== undefined) return known;
      const args = listArguments(kind, variant).filter((arg) => !elsewhere.has(arg));
      const keys = [...first, ...args, REST, ...words, ...sections.keys()];
      keysBy.set(variant, keys);
      return keys;
    },
    // In an overlay, `$add` contains items of the list.
    of: (key) => (key === "$add" ? formOf(kind.type) : sections.get(key)),
  };
}

const ANY = "";

function getVariant({ variants }: Definition, map: YAMLMap): string {
  const chosen = variants?.select(pickScalars(map));
  return chosen !== undefined && variants !== undefined && chosen in variants.of ? chosen : ANY;
}

/** Returns the arguments in the order of the definition: first the common ones, then those of the entry's variant. */
function listArguments({ args, variants }: Definition, variant: string): string[] {
  const of = Object.entries(variants?.of ?? {}).filter(([name]) => variant === ANY || name === variant);
  return [...new Set([...Object.keys(args.shape), ...of.flatMap(([, each]) => Object.keys(each.args))])];
}

function pickScalars(map: YAMLMap): Record<string, unknown> {
  return Object.fromEntries(
    map.items.flatMap(({ key, value }) => (isScalar(value) ? [[formatKeyText(key), value.value]] : [])),
  );
}

function buildTemplateForm(formOf: FormOf): MapForm {
  const parameter: MapForm = { keys: () => ["description", "default", "enum"], of: () => undefined };
  const parameters: MapForm = { of: () => parameter };
  return {
    keys: () => ["type", "description", "parameters", REST, "entry", "entries"],
    of: (key, map) => {
      if (key === "parameters") return parameters;
      return key === "entry" || key === "entries" ? formOf(String(map.get("type"))) : undefined;
    },
  };
}

/** Returns a key as text, or an empty text for a key that is not a scalar. */
export function formatKeyText(key: unknown): string {
  const value = isScalar(key) ? key.value : key;
  if (typeof value === "symbol") return "<<"; // The parser represents the merge key by a symbol.
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}
