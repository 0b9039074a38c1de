/** References by name inside a workspace file: which entry a name means. */
import { hint, type Problem } from "../../../schema/index.js";
import { definitions, mapReferences, type Fields } from "../../../provider/index.js";
import { isRecord, type Entry } from "./entries.js";
import { placeInFile } from "./held.js";

/** Stands for another declaration of the file, by its logical name. */
export class Ref {
  constructor(readonly name: string) {}
}

/** A value with every reference to another declaration in it, at any depth, replaced. */
export function mapRefs(value: unknown, replace: (ref: Ref) => unknown): unknown {
  if (value instanceof Ref) return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapRefs(item, replace));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapRefs(inner, replace)]));
}

/** The arguments of an entry that refer to other entries, resolved; names that mean nothing become problems. */
export function resolveNames(entry: Entry, entries: readonly Entry[], problems: Problem[]): Fields {
  const { definition, written, path } = entry;
  const resolved: Record<string, unknown> = {};
  for (const [arg, reference] of Object.entries(definition.references)) {
    if (written[arg] === undefined) continue;
    resolved[arg] = mapReferences(reference, written[arg], ({ to }, name, at) => {
      const target = definitions.find((d) => d.type === to);
      // What no file declares (an integration) is looked up at the service.
      if (typeof name !== "string" || target?.document === undefined) return name;
      const found = entries.find((e) => e.definition.type === to && e.key === name);
      if (found?.external) return found.written[target.document.keyedBy] ?? found.key;
      if (found) return new Ref(found.name);
      const keyed = definition.document?.keyedBy === arg;
      problems.push({
        path: keyed ? path : [...path, ...placeInFile(entry.held, [arg, ...at])],
        message:
          `no ${target.noun} "${name}" is declared in this file${hint(name, keysOf(to, entries)) || "."} ` +
          `Declare it under ${target.document.section}, with external: true if it is managed elsewhere`,
        atKey: keyed,
      });
      return name;
    });
  }
  return resolved;
}

function keysOf(type: string, entries: readonly Entry[]): string[] {
  return entries.filter((e) => e.definition.type === type).map((e) => e.key);
}
