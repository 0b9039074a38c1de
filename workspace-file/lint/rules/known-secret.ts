/** Lint rule: the file contains a secret that is recognized by its format: a token, a private key, a password in an address. */
import type { Source } from "../../syntax/source.js";
import type { RuleFinding } from "../finding.js";
import type { Rule } from "../rule.js";
import { findKnownSecrets } from "../secretlint.js";

export const knownSecret: Rule = {
  code: "known-secret",
  severity: "error",
  description:
    "The file contains a secret that is recognized by its format: a token, a private key, a password in an address.",
  remedy:
    "Rotate the secret, because it stays in the Git history. Refer to the new one with `${env:NAME}`, or with `${config:key}` " +
    "from the stack's encrypted configuration.",
  async check(linted) {
    const found = await Promise.all(linted.sources.map(findSecretsIn));
    return found.flat();
  },
};

async function findSecretsIn(source: Source): Promise<RuleFinding[]> {
  if (source.text === "") return [];
  const secrets = await findKnownSecrets(source.text, source.file);
  return secrets.map(({ kind, range }) => ({
    at: source.locate(range[0]),
    hides: [{ file: source.file, start: range[0], end: range[1] }],
    message: `this looks like a secret (${kind}): it is readable by everybody who can read the file`,
  }));
}
