/** Lint rule: the file contains the plain value of a secret. */
import type { PropertyPath } from "../../../resources/definition/problems.js";
import { findNamedSecret, isReference, isSensitive, listSecretNames } from "../../../resources/index.js";
import type { Entry } from "../../load/entries.js";
import { findLeafValue, findPartAt, type Tree } from "../../syntax/tree.js";
import type { RuleFinding } from "../finding.js";
import type { Linted } from "../lint-document.js";
import type { Rule } from "../rule.js";

export const literalSecret: Rule = {
  code: "literal-secret",
  severity: "error",
  description: "The file contains the plain value of a secret.",
  remedy:
    "Refer to it with `${env:NAME}`, or with `${config:key}` from the stack's encrypted configuration. For a variable whose " +
    "value is set elsewhere, use `valueManaged: false`.",
  *check(linted) {
    for (const entry of linted.entries) {
      if (entry.external || entry.written["valueManaged"] === false) continue;
      for (const arg of entry.definition.secret(entry.written)) {
        const value = linted.text(entry, arg);
        if (value === undefined || value === "" || isReference(value) || !linted.isLiteral(entry, arg))
          continue;
        const hides = linted.rangesAt(linted.pathOf(entry, arg));
        yield { ...linted.atArg(entry, arg, `${arg} is a secret, and is in plaintext here`), hides };
      }
      yield* findNested(linted, entry);
    }
  },
};

/** Finds secrets in headers, nested objects and the fields of unknown action types. */
function* findNested(linted: Linted, entry: Entry): Generator<RuleFinding> {
  const { definition, written, path } = entry;
  const declared = definition.secret(written);
  for (const arg of listSecretNames(definition, written)) {
    if (declared.includes(arg) && !definition.undocumented.includes(arg)) continue;
    const part = findPartAt(linted.tree, [...path, arg]);
    if (part === undefined) continue;
    for (const { name, at } of listSecretLeaves(part, [...path, arg])) {
      if (linted.isLiteralAt(at))
        yield {
          at: { path: at },
          hides: linted.rangesAt(at),
          message: `${name} is a secret, and is in plaintext here`,
        };
    }
  }
}

interface SecretLeaf {
  readonly name: string;
  readonly at: PropertyPath;
}

function* listSecretLeaves(tree: Tree, path: PropertyPath): Generator<SecretLeaf> {
  if (tree.kind === "list") {
    for (const [index, item] of tree.items.entries()) yield* listSecretLeaves(item, [...path, index]);
  }
  if (tree.kind !== "map") return;
  // Headers and variables have the form { name, value } or { key, value }.
  const named = [
    findLeafValue(tree.entries.get("name")?.value),
    findLeafValue(tree.entries.get("key")?.value),
  ].find(isSensitive);
  for (const [key, { value }] of tree.entries) {
    const name = key === "value" && typeof named === "string" ? named : key;
    const text = findLeafValue(value);
    if (value.kind !== "leaf") yield* listSecretLeaves(value, [...path, key]);
    else if (isSensitive(name) && typeof text === "string" && findNamedSecret(name, text).length > 0)
      yield { name, at: [...path, key] };
  }
}
