/** Generates single changes of a document: another value, a removed object, two list items in another order. */
import { listComparableArgs } from "../../../../provider/index.js";
import { formatPath, type PropertyPath } from "../../../../resources/definition/problems.js";
import type { WorkspaceDocument } from "../../../../schema/workspace-document.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/load.js";
import { escaped } from "../export/escaped.js";

/** A changed document with the expected finding. */
export interface Change {
  readonly document: WorkspaceDocument;
  readonly finding: readonly [of: string, name: string, path: string];
}

type Entry = Record<string | number, unknown>;

/** Returns all possible changes. Some of the documents are invalid. */
export function changesOf(
  document: WorkspaceDocument,
  declared: readonly ResourceDeclaration[],
): (() => Change)[] {
  return declared.flatMap((one) => [
    ...valuesOf(one).map(([path, value]) => () => ({
      document: edited(document, (copy) => put(copy, one, path, escaped(value))),
      finding: ["changed", one.name, formatPath(path)] as const,
    })),
    ...gone(document, one),
    ...reordered(document, one, declared),
  ]);
}

/** Returns different values for the arguments that can be read from both sources. */
function valuesOf({ definition, args }: ResourceDeclaration): [PropertyPath, unknown][] {
  const left = [
    ...definition.writeOnly(args),
    ...definition.masked(args),
    ...Object.keys(definition.references),
    definition.document?.keyedBy,
    definition.variants?.chosenBy,
  ];
  const own = definition.document === undefined ? [] : listComparableArgs(definition, args);
  return own
    .filter((arg) => !left.includes(arg))
    .flatMap((arg): [PropertyPath, unknown][] => {
      const value = args[arg];
      if (typeof value === "string" && value !== "") return [[[arg], `${value} otherwise`]];
      if (typeof value === "boolean") return [[[arg], !value]];
      if (typeof value === "number") return [[[arg], value + 1]];
      if (!Array.isArray(value)) return [];
      return (value as unknown[]).flatMap((item, index): [PropertyPath, unknown][] =>
        typeof item === "string" ? [[[arg, index], `${item} otherwise`]] : [],
      );
    });
}

function put(copy: Entry, { path, definition }: ResourceDeclaration, at: PropertyPath, value: unknown): void {
  const [arg, index] = at;
  const { parent, last } = findParent(copy, path);
  const entry = parent[last] as Entry | string;
  if (typeof entry !== "object") {
    if (arg === definition.document?.scalar) parent[last] = value;
  } else if (index === undefined) entry[String(arg)] = value;
  else (entry[String(arg)] as unknown[])[Number(index)] = value;
}

function gone(
  document: WorkspaceDocument,
  { name, path, definition }: ResourceDeclaration,
): (() => Change)[] {
  if (definition.document === undefined) return [];
  const change = () => ({
    document: edited(document, (copy) => {
      const { parent, last } = findParent(copy, path);
      if (Array.isArray(parent)) parent.splice(Number(last), 1);
      else delete parent[last];
    }),
    finding: ["added", name, ""] as const,
  });
  return [change];
}

function reordered(
  document: WorkspaceDocument,
  { name, path, definition }: ResourceDeclaration,
  declared: readonly ResourceDeclaration[],
): (() => Change)[] {
  if (definition.document?.form !== "list" || path.at(-1) !== 0) return [];
  const list = name.split("/").slice(0, -1).join("/");
  if (declared.filter((one) => one.name.split("/").slice(0, -1).join("/") === list).length < 2) return [];
  const change = () => ({
    document: edited(document, (copy) => {
      const { parent } = findParent(copy, path);
      (parent as unknown as unknown[]).reverse();
    }),
    finding: ["changed", list.split("/").slice(0, -1).join("/"), list.split("/").at(-1) ?? ""] as const,
  });
  return [change];
}

function edited(document: WorkspaceDocument, edit: (copy: Entry) => void): WorkspaceDocument {
  const copy = structuredClone(document) as unknown as Entry;
  edit(copy);
  return copy as unknown as WorkspaceDocument;
}

function findParent(copy: Entry, path: PropertyPath): { parent: Entry; last: string | number } {
  let parent = copy;
  for (const step of path.slice(0, -1)) parent = parent[step] as Entry;
  return { parent, last: path.at(-1) ?? "" };
}
