import type { Entry } from "../../load/entries.js";
import type { Linted } from "../linted.js";
import type { Finding } from "../finding.js";
import type { Rule } from "../rule.js";

export const literalSecret: Rule = {
  code: "literal-secret",
  severity: "error",
  description: "A value that the service keeps secret is written out in the file.",
  remedy:
    "Bring it in with `${env:NAME}`, or with `${config:key}` from the stack's encrypted configuration. A value that somebody fills " +
    "in elsewhere is a variable with `valueManaged: false`.",
  examples: {
    bad: `version: 1
variables:
  DEPLOY_TOKEN: { value: blue-river-42, encrypted: true }
`,
    good: `version: 1
variables:
  DEPLOY_TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true }
`,
  },
  *check(linted) {
    for (const entry of linted.entries) {
      if (entry.external || entry.written["valueManaged"] === false) continue;
      for (const arg of entry.definition.secret(entry.written)) {
        const value = linted.text(entry, arg);
        if (value === undefined || value === "" || !linted.isLiteral(entry, arg)) continue;
        const hides = linted.rangeAt(linted.pathOf(entry, arg));
        yield { ...linted.atArg(entry, arg, `${arg} is a secret, and is written out here`), hides };
      }
      yield* secretHeaders(linted, entry);
    }
  },
};

/** Headers that authenticate a request. */
const authenticating = /^(proxy-)?authorization$|^cookie$|(^|-)(api-?key|token|secret)$/i;

function* secretHeaders(linted: Linted, entry: Entry): Generator<Finding> {
  const { headers } = entry.written;
  if (!Array.isArray(headers)) return;
  for (const [index, header] of (headers as unknown[]).entries()) {
    const { name, value } = (header ?? {}) as { name?: unknown; value?: unknown };
    const path = [...entry.path, "headers", index, "value"];
    if (typeof name !== "string" || typeof value !== "string" || !authenticating.test(name)) continue;
    if (value === "" || !linted.isLiteralAt(path)) continue;
    const message = `the header ${name} holds a secret, and is written out here`;
    yield { at: { path }, message, hides: linted.rangeAt(path) };
  }
}
