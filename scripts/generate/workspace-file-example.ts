/** Generates the example of a resource type in a workspace file. */
import { stringify } from "yaml";
import { type Definition, definitions, getDefinition } from "../../provider/index.js";
import type { DocumentPlacement } from "../../resources/definition/definition.js";
import { formatYaml } from "../../workspace-file/format/format.js";
import { listProgramObjects } from "./package-schema/examples.js";
import { type Declared, mapValues, Reference } from "./package-schema/program.js";

type Tree = Record<string, unknown>;

/** Returns the file, in its formatted form; undefined for a type that is not written in a file. */
export function renderWorkspaceFile(definition: Definition): string | undefined {
  if (definition.document === undefined) return undefined;
  const [variant] = Object.values(definition.variants?.of ?? {});
  const program = listProgramObjects(definition, {
    ...definition.examples.create,
    ...variant?.examples.create,
  });
  const document: Tree = { version: 1, workspace: "acme" };
  const entries = new Map<string, Tree>();
  for (const declared of program) placeEntry(declared, program, document, entries);
  const formatted = formatYaml("workspace.yaml", stringify(document, { lineWidth: 0 }), definitions);
  if ("problems" in formatted) throw new Error(`the example of ${definition.type} is not valid`);
  return formatted.text;
}

/** Adds a resource to the section of its parent. */
function placeEntry(
  declared: Declared,
  program: readonly Declared[],
  document: Tree,
  entries: Map<string, Tree>,
): void {
  const { name, type, args } = declared;
  const { document: where } = getDefinition(type);
  if (where === undefined) return;
  const parentArg = Object.values(where.under).find((arg) => arg !== null && arg in args);
  const parent = parentArg && args[parentArg];
  const holder = parent instanceof Reference ? entries.get(parent.resource) : document;
  if (holder === undefined) return;
  const own = createEntry(declared, where, program);
  entries.set(name, own);
  const key = getKey(declared, program);
  if (where.form === "map") holder[where.section] = { ...(holder[where.section] as Tree), [key]: own };
  else {
    const items = (holder[where.section] ?? []) as unknown[];
    holder[where.section] = [
      ...items,
      where.form === "keys" ? key : Object.assign(own, { [where.keyedBy]: key }),
    ];
  }
}

/** The arguments of an entry, without its key, its parent and what the loader adds. */
function createEntry({ type, args }: Declared, where: DocumentPlacement, program: readonly Declared[]): Tree {
  const { references } = getDefinition(type);
  const added = Object.values(references).flatMap(({ copies = {} }) => Object.keys(copies));
  const omitted = [where.keyedBy, ...Object.values(where.under), ...added];
  const entries = Object.entries(args).filter(([arg]) => !omitted.includes(arg));
  return Object.fromEntries(entries.map(([arg, value]) => [arg, resolveNames(value, program)]));
}

/** Replaces references by the keys of the entries. */
function resolveNames(value: unknown, program: readonly Declared[]): unknown {
  return mapValues(value, ({ resource }) => {
    const target = program.find(({ name }) => name === resource);
    return target && getKey(target, program);
  });
}

function getKey({ type, args }: Declared, program: readonly Declared[]): string {
  return String(resolveNames(args[getDefinition(type).document?.keyedBy ?? ""], program));
}
