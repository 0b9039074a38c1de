import type { Rule } from "../rule.js";

/** What the last words of a name say of the value. */
const secretName =
  /(^|[_-])(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)[_-]?KEY)$/i;
/** What no secret looks like: addresses, paths, numbers, switches. */
const harmless = /^(|true|false|yes|no|on|off|none|null|\d{1,5}|https?:\/\/[^@\s]*|\.{0,2}\/\S*)$/i;

export const unencryptedSecret: Rule = {
  code: "unencrypted-secret",
  severity: "error",
  description:
    "A variable looks like a secret, by its name or its value, and is not encrypted: everybody who can see variables or logs sees it.",
  remedy: "Set `encrypted: true`. Where the value is no secret, ignore the finding with the reason.",
  examples: {
    bad: `version: 1
variables:
  DEPLOY_TOKEN: "\${env:DEPLOY_TOKEN}"
`,
    good: `version: 1
variables:
  DEPLOY_TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true }
`,
  },
  *check(linted) {
    for (const variable of linted.of("Variable")) {
      const { encrypted, sshKey, value } = variable.written;
      if (encrypted === true || sshKey === true) continue;
      const hides = linted.isLiteral(variable, "value")
        ? linted.rangeAt(linted.pathOf(variable, "value"))
        : undefined;
      if (secretName.test(words(variable.key))) {
        const message = `${variable.key} is a secret by its name, and is not encrypted`;
        if (typeof value !== "string" || !harmless.test(value))
          yield { ...linted.atEntry(variable, message), hides };
      } else if (hides !== undefined && typeof value === "string" && looksRandom(value)) {
        const message = "the value looks like a secret (random letters and digits), and is not encrypted";
        yield { ...linted.atArg(variable, "value", message), hides };
      }
    }
  },
};

/** `deployToken` as DEPLOY_TOKEN. */
function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
}

/** Long, of mixed kinds of letters, and without order; hashes and UUIDs are names rather than secrets. */
function looksRandom(value: string): boolean {
  if (!/^[A-Za-z0-9+/_=-]{24,}$/.test(value) || /^[0-9a-f-]+$/i.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && entropy(value) > 4;
}

/** Shannon's, in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
