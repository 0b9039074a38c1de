/** Masks the secrets in versions of a value, such as before and after a change, so that everything next to them is seen. */
import { getConcealed, HIDDEN } from "../../../diff/values.js";
import type { Definition, Fields } from "../definition.js";
import { listClosedNames, listSecretNames, listTextsIn, mapSecretParts, MASK } from "./mask.js";
import { looksRandom, type SecretPart } from "./secret-values.js";

/** Versions of the arguments of an object with masks for what is secret. */
export interface MaskedVersions {
  readonly versions: readonly (Fields | undefined)[];
  /** The arguments of which a version shows what is next to its secrets. */
  readonly open: ReadonlySet<string>;
}

/**
 * Masks the secrets in versions of the arguments of an object, such as before and after a change. Of a value that the file contains in
 * plaintext (see {@link getConcealed}), only the secret parts are masked: equal ones in the same way in all versions, and different ones in
 * different ways. All else that is secret is masked as a whole.
 * @param declared index of the version in the file: what is not secret there is shown also next to a former secret, unless the definition
 *   made all of that secret
 */
export function maskVersions(
  definition: Definition,
  versions: readonly (Fields | undefined)[],
  declared?: number,
): MaskedVersions {
  const given = versions.map((args = {}) => ({
    args,
    closed: new Set(listClosedNames(definition, args)),
    secret: new Set(listSecretNames(definition, args)),
  }));
  const names = new Set(given.flatMap(({ args }) => Object.keys(args)));
  const open = new Set<string>();
  const masked = versions.map((args): Record<string, unknown> | undefined => args && { ...args });
  for (const name of names) {
    const values = given.map(({ args }) => args[name]);
    const isClosedAnywhere = given.some(({ closed }) => closed.has(name));
    const isFormerSecret = !isClosedAnywhere && given.some(({ secret }) => secret.has(name));
    const isOpen = given.map(({ closed, secret }, at) =>
      getConcealed(values[at]) === undefined
        ? at === declared && isFormerSecret && !secret.has(name) && values[at] !== undefined
        : !closed.has(name),
    );
    const isClosed = given.map(
      ({ secret, closed }, at) => !isOpen[at] && (secret.has(name) || closed.has(name)),
    );
    if (!isOpen.includes(true) && !isClosed.includes(true)) continue;
    if (isOpen.includes(true)) open.add(name);
    const guessing = definition.undocumented.includes(name);
    const parts = maskParts(
      values.map((value, at) => (isOpen[at] ? (getConcealed(value) ?? value) : undefined)),
      guessing ? looksRandom : undefined,
    );
    const areAllVisible = !isClosed.includes(true);
    for (const [at, args] of masked.entries()) {
      const value = values[at];
      if (args === undefined || value === undefined || value === null) continue;
      if (isOpen[at]) args[name] = parts[at];
      else if (isClosed[at] || (isOpen.includes(true) && !areAllVisible)) args[name] = HIDDEN;
    }
  }
  return { versions: masked, open };
}

/** Parts of this length say how long they are: so much may be a program, and not a secret. */
const LONG_PART = 100;

/** Masks the secret parts of versions of a value: a mask for each line of a part, with numbers where there are different ones. */
export function maskParts(
  versions: readonly unknown[],
  alsoSecret?: (text: string) => boolean,
): readonly unknown[] {
  const found = new Set<string>();
  const texts: string[] = [];
  const collect = (secret: string | number, parts: readonly SecretPart[]) => {
    for (const { text, isMasked } of splitParts(secret, parts)) {
      if (isMasked) found.add(text);
      else texts.push(text);
    }
  };
  for (const version of versions) {
    texts.push(...listTextsIn(version));
    mapSecretParts(version, collect, alsoSecret);
  }
  const masks = chooseMasks([...found], texts);
  const mask = (secret: string | number, parts: readonly SecretPart[]) =>
    splitParts(secret, parts)
      .map(({ text, isMasked }) => (isMasked ? masks.get(text) : text))
      .join("");
  return versions.map((version) => mapSecretParts(version, mask, alsoSecret));
}

/** What a shell replaces by the output of a program. It is no part of a secret, and a command in it must not be hidden. */
const SUBSTITUTION = /(\r?\n[ \t]*|\$\([^)\n]*\)|`[^`\n]*`)/;

function splitParts(
  secret: string | number,
  parts: readonly SecretPart[],
): { readonly text: string; readonly isMasked: boolean }[] {
  if (typeof secret === "number") return [{ text: String(secret), isMasked: true }];
  const pieces: { text: string; isMasked: boolean }[] = [];
  let end = 0;
  for (const { start, length } of parts) {
    pieces.push({ text: secret.slice(end, start), isMasked: false });
    for (const [at, text] of secret
      .slice(start, start + length)
      .split(SUBSTITUTION)
      .entries())
      pieces.push({ text, isMasked: at % 2 === 0 });
    end = start + length;
  }
  pieces.push({ text: secret.slice(end), isMasked: false });
  return pieces.filter(({ text }) => text !== "");
}

/** Chooses a mask for each secret: no two are alike, and none is a text that is there anyway. */
function chooseMasks(secrets: readonly string[], texts: readonly string[]): ReadonlyMap<string, string> {
  const isTaken = (mark: string) => texts.some((text) => text.includes(mark));
  const isOnly = secrets.length === 1 && !isTaken(MASK.slice(0, -1));
  let number = 0;
  const next = () => {
    do number += 1;
    while (isTaken(`${MASK.slice(0, -1)} ${number}`));
    return ` ${number}`;
  };
  return new Map(
    secrets.map((secret) => {
      const length = secret.length < LONG_PART ? "" : `, ${secret.length} characters`;
      return [secret, `${MASK.slice(0, -1)}${isOnly ? "" : next()}${length}]`];
    }),
  );
}
