/**
 * Finds the secrets in a text by their form. This is the one recognizer for state, plans, reports, exports, lint and policies. It
 * runs for each text of each resource, so it takes time in proportion to the text.
 */
import { isHarmless, isReference } from "./harmless-values.js";
import { type SecretForm, secretForms, SOME_FORM } from "./secret-forms.js";
import { isSensitive } from "./secret-names.js";
import { findTokens } from "./token-forms.js";

/** A part of a text that is secret. */
export interface SecretPart {
  readonly start: number;
  readonly length: number;
  /** What it is, such as `token: GitHub` or `value of DB_PASSWORD`. */
  readonly rule: string;
}

/** The parts of texts that were searched: the state, the program and the service have the same ones. */
const searched = new Map<string, readonly SecretPart[]>();
const [MOST_SEARCHED, LONGEST_SEARCHED] = [5000, 500];

/** Returns the secret parts of a text in their order. They do not overlap. */
export function findSecrets(text: string): readonly SecretPart[] {
  if (text.length < 4) return [];
  const known = searched.get(text);
  if (known !== undefined) return known;
  const found = find(text, secretForms);
  if (searched.size >= MOST_SEARCHED) searched.clear();
  if (text.length <= LONGEST_SEARCHED) searched.set(text, found);
  return found;
}

const certainForms = secretForms.filter(({ certain }) => certain);

/** Returns the parts that are secrets whatever the text is about: tokens, private keys, addresses with passwords. */
export function findIssuedSecrets(text: string): SecretPart[] {
  return find(text, certainForms);
}

/** Whether a text contains a secret. */
export function containsSecret(text: string): boolean {
  return findSecrets(text).length > 0;
}

/** Returns the secret parts of a value whose name says that it is secret: none of a reference or a dummy. */
export function findNamedSecret(name: string, text: string): readonly SecretPart[] {
  const scheme = /^\s*(?:(?:bearer|basic|token|digest)\s+)?/i.exec(text)?.[0].length ?? 0;
  const value = text.slice(scheme).trimEnd();
  if (isHarmless(name, value, true)) return findSecrets(text);
  return [{ start: scheme, length: value.length, rule: `value of ${name}` }];
}

function find(text: string, forms: readonly SecretForm[]): SecretPart[] {
  const found: SecretPart[] = findTokens(text)
    .filter(({ start, end }) => !isExample(text.slice(start, end)))
    .map(({ issuer, start, end }) => ({ start, length: end - start, rule: `token: ${issuer}` }));
  // Most texts are a word without what all forms have in common.
  if (SOME_FORM.test(text))
    for (const form of forms) for (const part of findForm(text, form)) found.push(part);
  return withoutOverlaps(found);
}

function* findForm(text: string, { rule, pattern, certain, name: known }: SecretForm): Generator<SecretPart> {
  for (const match of text.matchAll(pattern)) {
    const { secret = "", name = known, user } = match.groups ?? {};
    const [start = 0] = match.indices?.groups?.["secret"] ?? [];
    if (name === undefined) {
      if (!isReference(secret)) yield { start, length: secret.length, rule };
      continue;
    }
    // `--from-literal=token=...`, `s/TOKEN=.*/TOKEN=.../`
    const inner = known === undefined && secret.includes("=") ? findSecrets(secret) : [];
    for (const part of inner) yield { ...part, start: start + part.start };
    if (inner.length > 0 || (known === undefined && !isSensitive(name)) || /^[a-z]{2,4}=\w/.test(secret))
      continue;
    if (isReference(secret)) continue;
    const value = secret.replace(/[,;:.)\]}]+$/, "") || secret;
    if (certain === undefined && value.length < 4) continue;
    if (isHarmlessText(name, value) || (user !== undefined && value === user)) continue;
    yield { start, length: value.length, rule: rule === "value" ? `value of ${name}` : rule };
  }
}

/** Whether a value in a text is none: also an expression of a program, whose brackets a shell would not leave alone. */
function isHarmlessText(name: string, value: string): boolean {
  if (isHarmless(name, value)) return true;
  if (/^[[\](){}<>|^\\?=,;]|[{}]$/.test(value) || /^\/[^\w]/.test(value)) return true;
  // A member of an object, or a call.
  return /^[A-Za-z_]{1,24}(?:\.[A-Za-z_]{1,24})+$/.test(value) || /^[A-Za-z_][\w.]*[[(]/.test(value);
}

/** A token in documentation: AKIAIOSFODNN7EXAMPLE, ghp_xxxx. */
function isExample(token: string): boolean {
  return token.includes("EXAMPLE") || /[_.-](?:[xX]{8,}|[*.]{8,})$/.test(token);
}

function withoutOverlaps(parts: readonly SecretPart[]): SecretPart[] {
  const kept: SecretPart[] = [];
  // Of two parts at one place, the longer one, and of equal ones the first, whose rule says more.
  const sorted = parts.toSorted((a, b) => a.start - b.start || b.length - a.length);
  for (const part of sorted) {
    const last = kept.at(-1);
    const end = last === undefined ? 0 : last.start + last.length;
    if (last === undefined || part.start >= end) kept.push(part);
    else if (part.start + part.length > end)
      kept[kept.length - 1] = { ...last, length: part.start + part.length - last.start };
  }
  return kept;
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
