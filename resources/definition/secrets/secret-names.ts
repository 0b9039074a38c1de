/** Recognizes names of secret values: those that definitions declare as secret, and the usual ones. */
import { definitions } from "../../registry.js";

/** Words that indicate a secret anywhere in a name. */
const secretWords = createSet(
  "password passwords passwd passphrase passcode pwd secret secrets token tokens credential credentials authorization",
  "bearer cookie cookies jwt dsn webhook webhooks signature apikey authtoken accesskey secretkey privatekey sshkey",
);
/** Words that indicate a secret only at the end of a name. */
const lastSecretWords = createSet("pass auth pat otp hmac salt sas");
/** Words that make a key secret. A public key, a cache key and the name of a variable (`env_key`) are not. */
const keyKinds = createSet(
  "api access private secret server ssh deploy deployment signing encryption master account storage shared gpg pgp rsa",
  "license licence service auth app client application admin root user host integration webhook hook authentication",
);
/** Words that are written as one: `PGPASSWORD`, `SSHPASS`, `accesstoken`. */
const joinedWord = /^\w{2,}(?:password|passwd|passphrase|token|apikey|secretkey)$|^(?:sshpass|pgpass)$/;
/** Words at the end of a name that only describes a secret. */
const describing = createSet(
  "mode type method kind format algorithm version length ttl count enabled required in expires expiry lifetime timeout",
  "policy scheme endpoint limit limits retries attempts size interval budget usage",
  "name names file files filename path paths dir directory folder env var variable location prefix suffix label title",
  "description arn issuer scope scopes audience helper provider manager store backend template pattern regex hint help",
  "authentication validity rotation page form input field fields column stdin src dest source target",
);
/** Words at the end of the name of an address, which is a secret only where it is one of a webhook. */
const addresses = createSet("url uri host hostname domain port");
const secretAddresses = createSet("webhook webhooks hook dsn connection");
/** Words of passwords, which people choose. */
const passwordWords = /^(?:\w*(?:password|passwd|passphrase)|pass|passcode|pwd|\w*pass)$/;
/** Words before a plural that make it a number: `max_tokens`, `budget_tokens`. */
const quantities = createSet("max min maximum minimum total num number budget");
const plurals = createSet("tokens secrets passwords credentials cookies webhooks signatures");

function createSet(...words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((line) => line.split(" ")));
}

/** Whether a name, in upper or lower case, indicates that its value is secret. */
export function isSensitive(name: unknown): boolean {
  // A path (`/etc/passwd`) or a sentence is not the name of a value.
  if (typeof name !== "string" || name === "" || name.length > 200 || /[/\s]/.test(name)) return false;
  const known = judged.get(name);
  if (known !== undefined) return known;
  const sensitive = judge(splitWords(name));
  if (judged.size < 10_000) judged.set(name, sensitive);
  return sensitive;
}

const judged = new Map<string, boolean>();

/** Whether the name is that of a password. */
export function isPasswordName(name: string): boolean {
  return splitWords(name).some((word) => passwordWords.test(word));
}

function judge(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  if (listDeclaredSecrets().has(words.join("_"))) return true;
  if (describing.has(last)) return false;
  if (addresses.has(last) && !words.some((word) => secretAddresses.has(word))) return false;
  if (quantities.has(words[0] ?? "") && words.some((word) => plurals.has(word))) return false;
  if (words.some((word) => secretWords.has(word) || joinedWord.test(word)) || lastSecretWords.has(last))
    return true;
  return words.some((word, index) => {
    const next = words[index + 1];
    if (next === "key" || next === "keys") return keyKinds.has(word);
    if (word === "auth")
      return ["header", "key", "string", "data", "value", "config", "json"].includes(next ?? "");
    return (word === "connection" || word === "conn") && (next === "string" || next === "str");
  });
}

/** Splits a name into words: `serverKey`, `server_key`, `X-Server-Key` and `SERVER_KEY` have the same ones. */
function splitWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

let fromDefinitions: ReadonlySet<string> | undefined;

/** Names that a definition declares as secret in every case. A variable's `value` is secret only in some cases. */
function listDeclaredSecrets(): ReadonlySet<string> {
  fromDefinitions ??= new Set(
    definitions.flatMap((definition) =>
      definition
        .secret({})
        .filter((name) => !definition.undocumented.includes(name))
        .map((name) => splitWords(name).join("_")),
    ),
  );
  return fromDefinitions;
}
