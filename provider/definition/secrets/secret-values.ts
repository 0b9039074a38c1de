/**
 * Recognizes secrets by the form of their text: key blocks, tokens with a known prefix, and credentials in addresses and
 * commands. This runs for each resource, so each expression takes time in proportion to the text. Lint and exports also
 * use secretlint, which examines some forms more closely and is slower.
 */
import { isSensitive } from "./secret-names.js";
import { anyToken } from "./token-forms.js";

/** A variable that a shell or the service replaces, as in `$TOKEN`, `${TOKEN}` or `{{ token }}`: it contains no secret. */
const VARIABLE = String.raw`(?:\$[A-Za-z_{(]|\{\{|<)`;

const forms: readonly RegExp[] = [
  // Private keys: PEM and OpenSSH, PGP, PuTTY.
  /-----BEGIN\s?[A-Z0-9 ]{0,40}PRIVATE KEY/,
  /PuTTY-User-Key-File-\d/,
  anyToken,
  // Shorter and looser than the tokens of their issuers, which change.
  /\bsk-[A-Za-z0-9_-]{20}/,
  /\b(?:xox[a-z]|xapp)-(?:[A-Za-z0-9]{1,40}-)+[A-Za-z0-9]/,
  /(?:^|[^A-Za-z])SG\.[\w-]{1,128}\.[\w-]{2}/,
  // Addresses that are secrets themselves, or contain a password: `scheme://user:password@host`.
  /:\/\/hooks\.[\w.-]{1,100}\/(?:services|workflows|triggers)\/\w+\/\w+\/\w/,
  new RegExp(String.raw`:\/\/[^/@\s:"']*:(?!${VARIABLE})[^/@\s"']+@`),
  // Passwords of commands.
  new RegExp(String.raw`\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[\s=]["']?[^\s"':]+:(?!${VARIABLE})[^\s"']{3}`),
  new RegExp(
    String.raw`\b(?:docker\s+login\b[^\n]{0,200}?\s(?:-p|--password)[\s=]|sshpass\s+-p\s*)["']?(?!${VARIABLE})[^\s"']{4}`,
  ),
  // A header in a command, and the entry of an .npmrc or a .netrc.
  new RegExp(String.raw`_(?:authToken|auth|password)\s*=\s*(?!${VARIABLE})[^\s"']`, "i"),
  /\bmachine\s+\S+\s+login\s+\S+\s+password\s+\S/,
  new RegExp(
    String.raw`\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest)\s+)?(?!bearer|basic|token|digest|${VARIABLE})[^\s"'$]{6}`,
    "i",
  ),
];

/** `name=value`, and `"name": "value"` in JSON within a text. */
const assignment = new RegExp(
  String.raw`(?<![\w-])-{0,2}([A-Za-z_][\w-]{1,63})(?:=|"\s*:\s*")(["']?)(?!${VARIABLE})([^\s"'&;,)]+)`,
  "g",
);

/** Whether a text contains something in the form of a secret. */
export function holdsSecretForm(text: string): boolean {
  if (text.length < 4) return false;
  if (forms.some((form) => form.test(text))) return true;
  for (const [, name, , value] of text.matchAll(assignment))
    if (isSensitive(name) && !isHarmless(value)) return true;
  return false;
}

/** Whether a value is a switch or a small number, which is never a secret. */
function isHarmless(value = ""): boolean {
  return /^(?:true|false|yes|no|on|off|none|null|auto|\d{1,3})$/i.test(value);
}

/** Whether a value is a long mixture of letters and digits without order. Hashes and UUIDs are not, since they are identifiers. */
export function looksRandom(value: string): boolean {
  if (!/^[A-Za-z0-9+/_=-]{24,}$/.test(value) || /^[0-9a-f-]+$/i.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && measureEntropy(value) > 4;
}

/** The Shannon entropy in bits per character. */
function measureEntropy(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
