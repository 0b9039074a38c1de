/** Recognizes values that are no secrets, whatever their names say: references, substitutions, formats, patterns, paths, names, types, dummies. */
import { isPasswordName, isSensitive } from "./secret-names.js";

/** What a shell, the service or a template replaces. */
const reference = [
  String.raw`\$\{\{[^}]*\}\}`,
  String.raw`\$\{[^}]*\}?`,
  String.raw`\$\([^)]*\)?`,
  String.raw`\$[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*`,
  String.raw`\$[\d@*#?!$]`,
  "`[^`]*`?",
  String.raw`\{\{[^}]*(?:\}\})?`,
  String.raw`\{[A-Za-z_]?\w*\}`,
  String.raw`#\{[^}]*\}`,
  "<[^<>]*>?",
  String.raw`%[A-Za-z_]\w*%`,
  String.raw`%-?\d{0,3}(?:s|d|q|v|@)(?![A-Za-z0-9])`,
  String.raw`%\([A-Za-z_]\w*\)s`,
  String.raw`@[A-Za-z_]\w*@`,
  String.raw`!\w+!`,
].join("|");
const references = new RegExp(reference, "g");
const anyReference = new RegExp(reference);

/** What may stand next to a reference: `base64:$(...)`, `Bearer $TOKEN`. */
const label = /^[A-Za-z\s:._/"'\\,;|+=-]*$/;

/** Words of regular expressions, which no value contains. */
const pattern = /\.[*+]|\[\^|\[[a-zA-Z]-[a-zA-Z]|\\[sSwWdDbB1-9.(|]|\(\?|\{\d+,?\d*\}|\\\(/;

const plainWords =
  "true|false|yes|no|on|off|none|null|nil|undefined|unset|auto|default|inherit|empty|always|never|required|optional|prompt|ask|stdin";
const kindWords =
  "basic|bearer|digest|ntlm|negotiate|oauth|oauth2|oidc|jwt|hmac|rsa|dsa|ed25519|ecdsa|string|text|str|bool|int|env|file|vault|store|cache";
const dummyWords =
  "dummy|fake|mock|example|sample|placeholder|changeme|replaceme|todo|tbd|redacted|masked|hidden|foo|bar|baz|foobar|test|testing|insecure|unused|ignored|nothing|whatever|not|your|my|some|any|root|guest|postgres|mysql";
const secretNouns =
  "password|passwd|pass|pw|secret|token|key|apikey|api|auth|credential|credentials|value|user|string|here|set|real|used|needed|change|replace|me|for|the|a|an|only|local|dev|ci|build|in|this|it|with|access|private|client|app|db|database|name";
const isOneOf = (words: string) => new RegExp(`^(?:${words})$`, "i");
const isPlainWord = isOneOf(`${plainWords}|${kindWords}`);
const isDummyWord = isOneOf(dummyWords);
const isSecretNoun = isOneOf(secretNouns);

/** Whether a value only refers to others, such as `$TOKEN`, `${server.key}`, `$(cat key)` or `base64:%s`. */
export function isReference(text: string): boolean {
  if (!/[$`{<%@!]/.test(text)) return false;
  const rest = text.replace(references, "").replace(/\b(?:base64|sha\d{1,3}|v\d):/gi, "");
  return anyReference.test(text) && label.test(rest);
}

/** Whether a value stands for a secret that is not there: `changeme`, `dummy-token`, `xxxx`, `***`, `[secret]`. */
function isDummy(text: string): boolean {
  if (/^(.)\1{2,}$|^[*.x_-]{3,}|^(?:x{3,}|\*{2,})|^\[\w+\]$/i.test(text)) return true;
  const words = text.split(/[\s_.-]+/).filter((word) => word !== "" && !/^\d{1,2}$/.test(word));
  if (words.length === 0) return /^[\s\d_.-]{0,3}$/.test(text);
  return words.every((word) => isDummyWord.test(word) || isSecretNoun.test(word) || isPlainWord.test(word));
}

/** A path that begins as one. Random letters in it are no name of a file. */
function isPath(text: string): boolean {
  if (
    !/^(?:\.{0,2}|~|@[\w.-]*|file:\/\/|[A-Za-z]:)[\\/][\w.@%+~\\/ -]*$/.test(text) &&
    !/^@[\w~-]*[./][\w./~-]*$/.test(text)
  )
    return /^[\w-]+(?:\/[\w.-]+)*\.(?:txt|json|ya?ml|pem|key|crt|cer|p12|pfx|jks|env|ini|conf|cfg|toml|xml|gpg|asc|pub|b64|enc|sh|js|py)$/i.test(
      text,
    );
  return !text.split(/[\\/]/).some(looksMixed);
}

/** Whether a word mixes digits with both cases, as no name does. */
const looksMixed = (word: string) =>
  word.length >= 12 && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);

/** A name in words: `prod/db/password`, `web-db-v2`. */
function isName(text: string): boolean {
  if (!/^[a-z]+(?:[-_./:][a-z0-9]+)*$/i.test(text) || text.length > 100) return false;
  return text.split(/[-_./:]/).every((part) => /^[a-z]{1,16}$/i.test(part) || /^[a-z]?\d{1,3}$/i.test(part));
}

/**
 * Whether a value is no secret although its name says so.
 * @param name of the value, such as `DB_PASSWORD`
 * @param wordsCount whether a plain word can be the secret, as a password can
 */
export function isHarmless(name: string, value: string, wordsCount = false): boolean {
  const text = value.trim();
  // A chosen password may begin with a dollar sign, as a variable in lower case does.
  const refers = isReference(text) && !(wordsCount && /^\$[a-z]/.test(text));
  if (text === "" || refers || isPlainWord.test(text) || isDummy(text)) return true;
  if (/^\d{1,3}$/.test(text) || pattern.test(text) || isPath(text)) return true;
  if (/^[A-Z]+(?:_[A-Z]+)*(?:_\d{1,2})?$/.test(text) && (text.includes("_") || text.length < 20)) return true;
  if (wordsCount) return isName(text) && text.includes("/") && isSensitive(text.split("/").at(-1));
  // A password may be one word, while tokens and keys mix letters and digits.
  if (isPasswordName(name)) return isName(text) && isSensitive(text.split("/").at(-1));
  return isName(text) && text.length < 64;
}
