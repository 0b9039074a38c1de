/** Lint rule: a variable looks like a secret, but is not encrypted. */
import { isSensitive, looksRandom } from "../../../resources/index.js";
import type { Rule } from "../rule.js";

/** Matches texts that are not secrets: addresses, paths, numbers, switches. */
const harmless = /^(|true|false|yes|no|on|off|none|null|\d{1,5}|https?:\/\/[^@\s]*|\.{0,2}\/\S*)$/i;

export const unencryptedSecret: Rule = {
  code: "unencrypted-secret",
  severity: "error",
  description:
    "A variable looks like a secret, by its name or its value, but is not encrypted: everyone who can see variables or logs can read it.",
  remedy: "Set `encrypted: true`. If the value is not secret, ignore the finding with the reason.",
  *check(linted) {
    for (const variable of linted.of("Variable")) {
      const { encrypted, sshKey, value } = variable.written;
      if (encrypted === true || sshKey === true) continue;
      const hides = linted.isLiteral(variable, "value")
        ? linted.rangesAt(linted.pathOf(variable, "value"))
        : undefined;
      if (isSensitive(variable.key)) {
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
