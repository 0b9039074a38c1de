/** Lint rule: the file contains a secret that is recognized by its format: a token, a private key, a password in an address. */
import { findIssuedSecrets } from "../../../resources/index.js";
import type { Source } from "../../syntax/source.js";
import type { RuleFinding } from "../finding.js";
import type { Rule } from "../rule.js";

export const knownSecret: Rule = {
  code: "known-secret",
  severity: "error",
  description:
    "The file contains a secret that is recognized by its format: a token, a private key, a password in an address.",
  remedy:
    "Rotate the secret, because it stays in the Git history. Refer to the new one with `${env:NAME}`, or with `${config:key}` " +
    "from the stack's encrypted configuration.",
  check: (linted) => linted.sources.flatMap(findSecretsIn),
};

function findSecretsIn(source: Source): RuleFinding[] {
  return findIssuedSecrets(source.text).map(({ start, length, rule }) => ({
    at: source.locate(start),
    hides: [{ file: source.file, start, end: start + length }],
    message: `this looks like a secret (${rule}): it is readable by everybody who can read the file`,
  }));
}
