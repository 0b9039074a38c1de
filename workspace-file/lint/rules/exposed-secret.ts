/** Lint rule: a value that the service shows looks like a secret. */
import type { PropertyPath } from "../../../resources/definition/problems.js";
import { findSecrets, isSensitive, looksRandom } from "../../../resources/index.js";
import { parseVariable } from "../../compose/placeholders.js";
import type { Entry } from "../../load/entries.js";
import { findPartAt, type LeafTree, listPlaceholdersIn, type Tree } from "../../syntax/tree.js";
import type { RuleFinding } from "../finding.js";
import type { Linted } from "../lint-document.js";
import type { Rule } from "../rule.js";

export const exposedSecret: Rule = {
  code: "exposed-secret",
  severity: "warning",
  description:
    "A value that the service shows (a command, a header, an address) looks like a secret, by its format or by the name of its " +
    "environment variable.",
  remedy:
    "Use an encrypted variable in the action. If the value must be here, `${secret:env:NAME}` (or `${secret:file:path}`, " +
    "`${secret:config:key}`) hides it in state, plans and reports, but the service still shows it.",
  *check(linted) {
    for (const entry of linted.entries) if (!entry.external) yield* findInEntry(linted, entry);
  },
};

function* findInEntry(linted: Linted, entry: Entry): Generator<RuleFinding> {
  const { definition, written, key } = entry;
  const { scalar } = definition.document ?? {};
  const secretArgs = definition.secret(written);
  for (const arg of Object.keys(written)) {
    const undocumented = definition.undocumented.includes(arg);
    // Another rule covers variables with the name of a secret.
    if ((secretArgs.includes(arg) && !undocumented) || (arg === scalar && isSensitive(key))) continue;
    const path = linted.pathOf(entry, arg);
    const part = findPartAt(linted.tree, path);
    if (part === undefined) continue;
    for (const { leaf, at } of listPlainLeaves(part, path)) {
      const message = explainExposure(leaf, { undocumented, isSecret: secretArgs.includes(arg) });
      if (message !== undefined) yield { at: { path: at }, message };
    }
  }
}

interface Argument {
  /** Whether the contents of the argument are undocumented. */
  readonly undocumented: boolean;
  /** Whether the argument is secret as a whole. */
  readonly isSecret: boolean;
}

function explainExposure(leaf: LeafTree, { undocumented, isSecret }: Argument): string | undefined {
  const { value, written, mock, secret } = leaf;
  if (secret === true || typeof value !== "string") return undefined;
  if (written === undefined) {
    const [found] = findSecrets(value);
    if (found !== undefined) return `this has the form of a secret (${found.rule}), and is in plaintext here`;
    if (undocumented && looksRandom(value))
      return "this looks like a secret (random letters and digits), and is in plaintext here";
    return undefined;
  }
  if (isSecret) return undefined;
  const revealing = listPlaceholdersIn(leaf).find(mentionsSecret);
  if (revealing !== undefined)
    return `${revealing.whole} inserts what looks like a secret into a value that is visible`;
  // What stands in the file itself was found there.
  return mock !== true && findSecrets(value).length > findSecrets(written).length
    ? `what ${written.trim().split("\n")[0]?.slice(0, 60) ?? ""} inserts has the form of a secret, and this value is visible`
    : undefined;
}

/** Reports whether the name of a variable or file indicates a secret. */
function mentionsSecret({ kind, body }: { readonly kind: string; readonly body: string }): boolean {
  if (kind === "env") return isSensitive(parseVariable(body)[0]);
  if (kind !== "file") return false;
  return (
    /(^|\/)id_[a-z0-9]+$|\.(pem|key|p12|pfx|ppk|jks|keystore)$/i.test(body) ||
    isSensitive(body.split("/").at(-1))
  );
}

/** Yields the texts of a part except those with the name of a secret, such as `Authorization`. */
function* listPlainLeaves(
  part: Tree,
  path: PropertyPath,
): Generator<{ readonly leaf: LeafTree; readonly at: PropertyPath }> {
  if (part.kind === "leaf") yield { leaf: part, at: path };
  if (part.kind === "list")
    for (const [index, item] of part.items.entries()) yield* listPlainLeaves(item, [...path, index]);
  if (part.kind !== "map") return;
  const text = (key: string): unknown => {
    const value = part.entries.get(key)?.value;
    return value?.kind === "leaf" ? value.value : undefined;
  };
  const named = isSensitive(text("name")) || isSensitive(text("key"));
  for (const [key, { value }] of part.entries)
    if (!isSensitive(key) && !(named && key === "value")) yield* listPlainLeaves(value, [...path, key]);
}
