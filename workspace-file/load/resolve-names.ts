/** Resolves references by name within a workspace file. */
import { mapDeep } from "../../diff/values.js";
import { formatHint, type Problem } from "../../resources/definition/problems.js";
import { definitions, type Fields, findNamed, getSpelling, mapReferences } from "../../resources/index.js";
import { Interpolated } from "../syntax/tree.js";
import type { Entry } from "./entries.js";
import { isKeyOfExclusive, locateInFile } from "./exclusive-sections.js";

/** Reference to another declaration of the file by its logical name. */
export class Ref {
  constructor(readonly name: string) {}
}

/** Replaces the references to other declarations, or to their outputs, at any depth of a value. */
export function mapRefs(value: unknown, replace: (ref: Ref | Interpolated) => unknown): unknown {
  return mapDeep(value, (leaf) =>
    leaf instanceof Ref || leaf instanceof Interpolated ? replace(leaf) : leaf,
  );
}

const byType = new Map(definitions.map((definition) => [definition.type, definition]));

/** Entries by type and key. */
export class DeclaredNames {
  private readonly entries = new Map<string, Map<string, Entry>>();

  constructor(entries: Iterable<Entry>) {
    for (const entry of entries) {
      const ofType = this.entries.get(entry.definition.type) ?? new Map<string, Entry>();
      this.entries.set(entry.definition.type, ofType);
      if (!ofType.has(entry.key)) ofType.set(entry.key, entry);
    }
  }

  /** The entry with a key, or else with another spelling of it. */
  find(type: string, key: string): Entry | undefined {
    const ofType = this.entries.get(type);
    const definition = byType.get(type);
    const exact = ofType?.get(key);
    if (exact !== undefined || ofType === undefined || definition === undefined) return exact;
    const spelling = getSpelling(definition, definition.document?.keyedBy ?? "");
    const [spelled] = findNamed([...ofType.keys()], spelling, key, (one) => one);
    return spelled === undefined ? undefined : ofType.get(spelled);
  }

  of(type: string): string[] {
    return [...(this.entries.get(type)?.keys() ?? [])];
  }
}

/** Resolves the arguments of an entry that refer to other entries, and reports unknown names. */
export function resolveNames(entry: Entry, names: DeclaredNames, problems: Problem[]): Fields {
  const { definition, written, path } = entry;
  const resolved: Record<string, unknown> = {};
  for (const [arg, reference] of Object.entries(definition.references)) {
    if (written[arg] === undefined) continue;
    resolved[arg] = mapReferences(reference, written[arg], ({ to }, name, at) => {
      const target = byType.get(to);
      // The service resolves the names of objects that a file cannot declare (integrations).
      if (typeof name !== "string" || target?.document === undefined) return name;
      const found = names.find(to, name);
      if (found?.external) return found.written[target.document.keyedBy] ?? found.key;
      if (found) return new Ref(found.name);
      const own = definition.document.keyedBy === arg;
      const inMap = isKeyOfExclusive(entry, [arg, ...at]);
      const keyed = own || inMap;
      const within = inMap ? [arg, ...at.slice(0, 1)] : [arg, ...at];
      problems.push({
        path: own ? path : [...path, ...locateInFile(entry.exclusiveSections, within)],
        code: "unknown-name",
        message:
          `no ${target.noun} "${name}" is declared in this file${formatHint(name, names.of(to)) || "."} ` +
          `Declare it under ${target.document.section}, with external: true if it is managed elsewhere`,
        atKey: keyed,
      });
      return name;
    });
  }
  return resolved;
}
