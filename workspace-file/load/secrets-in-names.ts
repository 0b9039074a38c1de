/** Reports secrets in values that identify objects. */
import { listIdentifyingArgs, listSecretNames, type Definition } from "../../provider/index.js";
import type { PropertyPath } from "../../provider/definition/problems.js";
import { documentHead, entryWords, listWords } from "../document/properties.js";
import type { DocumentProblem } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";
import {
  Interpolated,
  leavesIn,
  placeholdersIn,
  type LeafTree,
  type MapTree,
  type OutputReference,
  type Tree,
} from "../syntax/tree.js";
import type { ResourceDeclaration } from "./resource-declaration.js";

/** Reports secrets in the head of a file: its values become part of addresses, and decide what is refused. */
export function secretsInHead(document: MapTree): DocumentProblem[] {
  return Object.keys(documentHead).flatMap((key) => secretsIn(document.entries.get(key)?.value, [key]));
}

/** Reports secrets in the names, references and choices of an entry. */
export function secretsInNames(
  definition: Definition,
  entry: Tree | undefined,
  path: PropertyPath,
): DocumentProblem[] {
  const { document } = definition;
  const identifying = listIdentifyingArgs(definition);
  if (entry?.kind === "leaf") {
    const isName = document?.form === "keys" || identifying.has(document?.scalar ?? "");
    return isName ? secretsIn(entry, path) : [];
  }
  if (entry?.kind !== "map") return [];
  const names = [...identifying, ...Object.keys(entryWords), ...Object.keys(listWords)];
  return names.flatMap((name) => secretsIn(entry.entries.get(name)?.value, [...path, name]));
}

/** Reports secrets of other objects in the names, references and choices of an entry. */
export function secretOutputsInNames(declarations: readonly ResourceDeclaration[]): DocumentProblem[] {
  const byName = new Map(declarations.map((one) => [one.name, one]));
  const isSecret = ({ name, output }: OutputReference) => {
    const other = byName.get(name);
    if (other === undefined) return false;
    return other.secrets.includes(output) || listSecretNames(other.definition, other.args).includes(output);
  };
  return declarations.flatMap(({ definition, args, path }) =>
    [...listIdentifyingArgs(definition)].flatMap((arg) => {
      const value = args[arg];
      const parts = value instanceof Interpolated ? value.parts : [];
      const secret = parts.find((part) => typeof part !== "string" && isSecret(part));
      if (typeof secret !== "object") return [];
      return problemAt(`\${ref:${secret.name}.${secret.output}}`, [...path, arg], secret.at);
    }),
  );
}

function secretsIn(part: Tree | undefined, path: PropertyPath): DocumentProblem[] {
  return leavesIn(part).flatMap((leaf) => {
    const what = hiddenIn(leaf);
    if (what === undefined) return [];
    const hides = typeof leaf.value === "string" ? { hides: leaf.value } : {};
    return { ...problemAt(what, path, leaf.at), ...hides };
  });
}

function problemAt(what: string, path: PropertyPath, at: Position): DocumentProblem {
  const message =
    `${what} must not be part of a name, a reference or a choice, because addresses, plans and logs show these: ` +
    "write the value itself, or use ${env:NAME} if it is not secret";
  return { path, at, code: "secret-name", message };
}

/** Returns the placeholder that may bring a secret into a value. */
function hiddenIn(leaf: LeafTree): string | undefined {
  const placeholders = placeholdersIn(leaf);
  const hiding = placeholders.find((piece) => piece.secret || piece.kind === "file");
  if (hiding !== undefined) return hiding.whole;
  return leaf.secret ? (placeholders.find(({ kind }) => kind === "config")?.whole ?? "a secret") : undefined;
}
