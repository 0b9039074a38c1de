/** References by name inside a workspace file: which entry a name means. */
import { hint, type Problem } from "../../../schema/index.js";
import { definitions, type Fields } from "../../../provider/index.js";
import type { Entry } from "./entries.js";

/** Stands for another declaration of the file, by its logical name. */
export class Ref {
  constructor(readonly name: string) {}
}

/** The arguments of an entry that refer to other entries, resolved; names that mean nothing become problems. */
export function resolveNames(entry: Entry, entries: readonly Entry[], problems: Problem[]): Fields {
  const { definition, written, path } = entry;
  const resolved: Record<string, unknown> = {};
  for (const [arg, { to }] of Object.entries(definition.references)) {
    const name = written[arg];
    const target = definitions.find((d) => d.type === to);
    // What no file declares (an integration) is looked up at the service.
    if (typeof name !== "string" || target?.document === undefined) continue;
    const found = entries.find((e) => e.definition.type === to && e.key === name);
    if (found) {
      resolved[arg] = found.external
        ? (found.written[target.document.keyedBy] ?? found.key)
        : new Ref(found.name);
      continue;
    }
    const keyed = definition.document?.keyedBy === arg;
    problems.push({
      path: keyed ? path : [...path, arg],
      message:
        `no ${target.noun} "${name}" is declared in this file${hint(name, keysOf(to, entries)) || "."} ` +
        `Declare it under ${target.document.section}, with external: true if it is managed elsewhere`,
      atKey: keyed,
    });
  }
  return resolved;
}

function keysOf(type: string, entries: readonly Entry[]): string[] {
  return entries.filter((e) => e.definition.type === type).map((e) => e.key);
}
