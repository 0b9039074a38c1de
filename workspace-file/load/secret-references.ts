/** Finds the arguments whose secrets the provider can read itself, so that the state contains only references to them. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import { escapeReferences } from "../../provider/definition/secrets/references.js";
import type { Definition, Fields } from "../../provider/index.js";
import { isPlainMap } from "./entries.js";
import type { LeafTree } from "../syntax/tree.js";

/**
 * @param secrets names of the arguments that contain a secret
 * @param leafAt returns the part of the file that contains an argument
 */
export function referencesIn(
  definition: Definition,
  args: Fields,
  secrets: readonly string[],
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): Fields {
  const references: Record<string, unknown> = {};
  for (const arg of secrets) {
    if (identifies(definition, arg)) continue;
    const template = templateOf(args[arg], [arg], leafAt);
    if (template !== undefined) references[arg] = template;
  }
  return references;
}

/** Whether the object is found or created by the argument, so that its value must be known. */
function identifies({ naturalKey, id, references, variants, clientOnly }: Definition, arg: string): boolean {
  return [
    ...naturalKey,
    ...id,
    ...Object.keys(references),
    ...(variants?.modes ?? []),
    ...clientOnly,
  ].includes(arg);
}

/** Returns a value with references instead of secrets; undefined unless every secret in it is a reference. */
function templateOf(
  value: unknown,
  path: PropertyPath,
  leafAt: (path: PropertyPath) => LeafTree | undefined,
): unknown {
  const secrets = { found: false, kept: false };
  const visit = (part: unknown, at: PropertyPath): unknown => {
    if (Array.isArray(part)) return part.map((item: unknown, index) => visit(item, [...at, index]));
    if (isPlainMap(part))
      return Object.fromEntries(
        Object.entries(part).map(([key, inner]) => [key, visit(inner, [...at, key])]),
      );
    const leaf = leafAt(at);
    if (typeof part === "object" && part !== null) secrets.kept = true;
    if (typeof part !== "string") {
      secrets.kept ||= leaf?.secret === true;
      return part;
    }
    if (leaf?.secret !== true) return escapeReferences(part);
    secrets.kept ||= leaf.template === undefined;
    secrets.found = true;
    return leaf.template;
  };
  const template = visit(value, path);
  return secrets.found && !secrets.kept ? template : undefined;
}
