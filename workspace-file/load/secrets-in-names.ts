/** Reports secrets in values that identify objects. */
import type { DocumentKind } from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { listIdentifyingArgs, listSecretNames } from "../../resources/index.js";
import { documentHead, entryWords, listWords } from "../document/properties.js";
import type { DocumentProblem } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";
import {
  Interpolated,
  type LeafTree,
  listLeavesIn,
  listPlaceholdersIn,
  type MapTree,
  type OutputReference,
  type Tree,
} from "../syntax/tree.js";
import type { ResourceDeclaration } from "./resource-declaration.js";

/** Reports secrets in the head of a file: its values become part of addresses, and decide what is refused. */
export function listSecretsInHead(document: MapTree): DocumentProblem[] {
  return Object.keys(documentHead).flatMap((key) => listSecretsIn(document.entries.get(key)?.value, [key]));
}

/** Reports secrets in the names, references and choices of an entry. */
export function listSecretsInNames(
  definition: DocumentKind,
  entry: Tree | undefined,
  path: PropertyPath,
): DocumentProblem[] {
  const { document } = definition;
  const identifying = listIdentifyingArgs(definition);
  if (entry?.kind === "leaf") {
    const isName = document.form === "keys" || identifying.has(document.scalar ?? "");
    return isName ? listSecretsIn(entry, path) : [];
  }
  if (entry?.kind !== "map") return [];
  const names = [...identifying, ...Object.keys(entryWords), ...Object.keys(listWords)];
  return names.flatMap((name) => listSecretsIn(entry.entries.get(name)?.value, [...path, name]));
}

/** Reports secrets of other objects in the names, references and choices of an entry. */
export function listSecretOutputsInNames(declarations: readonly ResourceDeclaration[]): DocumentProblem[] {
  const byName = new Map(declarations.map((one) => [one.name, one]));
  const isSecret = ({ name, output }: OutputReference) => {
    const other = byName.get(name);
    if (other === undefined) return false;
    return other.secrets.includes(output) || listSecretNames(other.definition, other.args).includes(output);
  };
  return declarations.flatMap(({ definition, args, path }) =>
    [...listIdentifyingArgs(definition)].flatMap((arg) => {
      const value = args[arg];
      const secret = value instanceof Interpolated ? value.outputs.find(isSecret) : undefined;
      if (secret === undefined) return [];
      return createProblemAt(`\${ref:${secret.name}.${secret.output}}`, [...path, arg], secret.at);
    }),
  );
}

function listSecretsIn(part: Tree | undefined, path: PropertyPath): DocumentProblem[] {
  return listLeavesIn(part).flatMap((leaf) => {
    const what = findHiddenIn(leaf);
    if (what === undefined) return [];
    const hides = typeof leaf.value === "string" ? { hides: leaf.value } : {};
    return { ...createProblemAt(what, path, leaf.at), ...hides };
  });
}

function createProblemAt(what: string, path: PropertyPath, at: Position): DocumentProblem {
  const message =
    `${what} must not be part of a name, a reference or a choice, because addresses, plans and logs show these: ` +
    "write the value itself, or use ${env:NAME} if it is not secret";
  return { path, at, code: "secret-name", message };
}

/** Returns the placeholder that may bring a secret into a value. */
function findHiddenIn(leaf: LeafTree): string | undefined {
  const placeholders = listPlaceholdersIn(leaf);
  const hiding = placeholders.find((piece) => piece.secret || piece.kind === "file");
  if (hiding !== undefined) return hiding.whole;
  return leaf.secret ? (placeholders.find(({ kind }) => kind === "config")?.whole ?? "a secret") : undefined;
}
