/** Lint rule: a private SSH key is required, but the value is a public key, the path of a file, or another string. */
import type { Rule } from "../rule.js";

const privateKey = /-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----|^PuTTY-User-Key-File-\d/;
const publicKey = /^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-\S+) |-----BEGIN ([A-Z0-9]+ )*PUBLIC KEY-----/;

/** Arguments that contain a private key, by type and the other arguments of the entry. */
const parents: readonly { readonly type: string; readonly arg: string; readonly when?: string }[] = [
  { type: "Variable", arg: "value", when: "sshKey" },
  { type: "Action", arg: "serverKey" },
];

export const noPrivateKey: Rule = {
  code: "no-private-key",
  severity: "error",
  description:
    "A private SSH key is required, but the value is a public key, the path of a file, or another string.",
  remedy:
    "Refer to the private key itself, such as `${env:DEPLOY_KEY}`, or `${file:deploy-key}` for a file that is not in Git.",
  *check(linted) {
    for (const { type, arg, when } of parents) {
      for (const entry of linted.of(type)) {
        if (when !== undefined && entry.written[when] !== true) continue;
        const value = linted.text(entry, arg);
        if (value === undefined || entry.written["valueManaged"] === false || privateKey.test(value))
          continue;
        const what = publicKey.test(value.trim()) ? "this is a public key" : "this is not a private key";
        const message = `${what}: a private one begins with -----BEGIN ... PRIVATE KEY-----`;
        const hides = linted.isLiteral(entry, arg) ? linted.rangesAt(linted.pathOf(entry, arg)) : undefined;
        yield { ...linted.atArg(entry, arg, message), hides };
      }
    }
  },
};
