/** What the state contains of an object whose arguments refer to secrets: the references, and keyed fingerprints of the applied values. */
import { randomBytes } from "node:crypto";
import { maskTexts } from "../../client/index.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { asSecret, isSecret, mapDeep, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import { IN_PLAINTEXT } from "../../resources/definition/secrets/in-plaintext.js";
import {
  listReferences,
  type References,
  SECRET_REFERENCES,
} from "../../resources/definition/secrets/references.js";
import {
  FINGERPRINTS,
  NOT_COMPARED,
  packFingerprints,
  type SeenFingerprints,
  unpackFingerprints,
} from "../connection/read-only-mode.js";
import { isMask } from "../crud/state.js";

type Props = Record<string, unknown>;

/** Output: `AppliedSecrets`, as a secret. */
export const APPLIED = "__appliedSecrets";

/** Keyed fingerprints of the applied values of arguments that refer to secrets. */
export interface AppliedSecrets {
  /** In hexadecimal. */
  readonly key: string;
  readonly fingerprints: Readonly<Record<string, string>>;
}

/** The arguments of an object that may refer to secrets. */
export interface Referring {
  /** Arguments and outputs, without marks. They have `[secret]` in the place of each secret. */
  readonly own: Fields;
  readonly references: References;
  readonly applied?: AppliedSecrets | undefined;
}

/**
 * Replaces the values of referring arguments by those with references.
 * @param isApplied whether a value is the applied one, whatever its form
 */
export function closeReferences(
  outs: Fields,
  { own, references, applied: before }: Referring,
  isApplied: (name: string, value: unknown) => boolean = () => false,
): Props {
  const names = Object.keys(references);
  if (names.length === 0) return { ...outs };
  const key = before?.key ?? generateKey();
  const fingerprints: Record<string, string> = {};
  const referring: Props = {};
  for (const name of names) {
    const value = withoutMarks(outs[name]);
    if (value === undefined || value === null) continue;
    const print = fingerprint(key, value);
    const known = before?.fingerprints[name];
    fingerprints[name] = known !== undefined && isApplied(name, value) ? known : print;
    referring[name] = asSecret(own[name]);
  }
  return {
    ...outs,
    ...referring,
    ...omitObserved(outs, names),
    [SECRET_REFERENCES]: Object.fromEntries(
      Object.entries(references).filter(([name]) => Object.hasOwn(referring, name)),
    ),
    [APPLIED]: asSecret({ key, fingerprints } satisfies AppliedSecrets),
  };
}

/** The forms in which the service shows values, without those that may contain a secret. */
function omitObserved(outs: Fields, names: readonly string[]): Props {
  if (!("observed" in outs)) return {};
  const observed = Object.entries(withoutMarks(outs["observed"]) as Fields).filter(
    ([name, form]) => !names.includes(name) || form === null || isMask(form),
  );
  const shown = Object.fromEntries(observed);
  return { observed: isSecret(outs["observed"]) ? asSecret(shown) : shown };
}

/** Carries on the observations of a read-only run: a value differs from the applied one if its fingerprint does. */
export function carryObservations(
  { [FINGERPRINTS]: packed, [NOT_COMPARED]: notCompared = [] }: Props,
  before: AppliedSecrets | undefined,
  after: AppliedSecrets | undefined,
  {
    missing,
    isOpen,
  }: { readonly missing: ReadonlyMap<string, unknown>; readonly isOpen: (name: string) => boolean },
): Props {
  const seen = unpackFingerprints<SeenFingerprints>(packed);
  if (seen === undefined) return {};
  const { applied, live } = seen;
  const [prints, shown] = [{ ...applied }, { ...live }];
  for (const [name, print] of Object.entries(after?.fingerprints ?? {})) {
    const old = before?.fingerprints[name];
    // An applied value that is not known has only its own fingerprint, which differs from every other.
    if (old === print && shown[name] !== undefined) prints[name] = shown[name];
    else if (old !== undefined && !isOpen(name)) prints[name] = old;
  }
  const paths = [...(notCompared as unknown[]), ...[...missing.keys()].map((name) => [name])];
  return {
    [FINGERPRINTS]: packFingerprints({ applied: prints, live: shown }),
    ...(paths.length > 0 ? { [NOT_COMPARED]: paths } : {}),
  };
}

export function isPrintOf(applied: AppliedSecrets | undefined, name: string, value: unknown): boolean {
  return applied !== undefined && applied.fingerprints[name] === fingerprint(applied.key, value);
}

/**
 * Returns the masked forms of encrypted values that somebody has changed. A read that has seen such a form has recorded the fingerprint of
 * the form instead of that of a value.
 */
export function findOtherForms({ own, references, applied }: Referring): Record<string, unknown> {
  const observed = (own["observed"] ?? {}) as Fields;
  return Object.fromEntries(
    Object.entries(observed).filter(
      ([name, form]) => Object.hasOwn(references, name) && isMask(form) && isPrintOf(applied, name, form),
    ),
  );
}

export function findAppliedIn(props: Fields): AppliedSecrets | undefined {
  return withoutMarks(props[APPLIED]) as AppliedSecrets | undefined;
}

/** Adds the fingerprints of values that the state still contains. */
export function withPrints(
  applied: AppliedSecrets | undefined,
  names: readonly string[],
  props: Fields,
): AppliedSecrets {
  const { key, fingerprints } = applied ?? { key: generateKey(), fingerprints: {} };
  const added = names
    .filter((name) => props[name] !== undefined && props[name] !== null)
    .map((name) => [name, fingerprint(key, withoutMarks(props[name]))] as const);
  return { key, fingerprints: { ...fingerprints, ...Object.fromEntries(added) } };
}

function generateKey(): string {
  return randomBytes(32).toString("hex");
}

/** Removes secrets that the service repeats in an output. */
export function maskCopies({ outputs }: Definition, outs: Props, secrets: readonly string[]): Props {
  if (secrets.length === 0) return outs;
  const mask = (leaf: unknown) => (typeof leaf === "string" ? maskTexts(leaf, secrets) : leaf);
  const copied = Object.keys(outputs).filter((name) => outs[name] !== undefined);
  return { ...outs, ...Object.fromEntries(copied.map((name) => [name, mapDeep(outs[name], mask)])) };
}

export function readReferring(props: Props): Referring {
  const applied = findAppliedIn(props);
  return { own: omitBookkeeping(props), references: listReferences(props), ...(applied && { applied }) };
}

/** The arguments and outputs of the object itself, without marks. */
export function omitBookkeeping(props: Props): Record<string, unknown> {
  const {
    [PROVIDER_KEY]: _text,
    [SECRET_REFERENCES]: _names,
    [APPLIED]: _applied,
    [IN_PLAINTEXT]: _plain,
    ...own
  } = props;
  return withoutMarks(own) as Record<string, unknown>;
}
