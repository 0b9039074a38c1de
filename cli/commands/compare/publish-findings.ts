/** Publishes findings of a comparison: secrets as fingerprints, names for objects, all else as plain JSON. */
import { createFinding } from "../../../diff/finding.js";
import { fingerprint } from "../../../diff/fingerprint.js";
import type { PropertyPath } from "../../../diff/structural-diff.js";
import { isPlain } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import { SecretValue } from "../../json-value.js";
import { NOT_KNOWN } from "../../reporters/format-values.js";
import type { ComparedClass } from "./classes.js";
import { toPlainValue } from "./differences.js";
import type { CompareFinding } from "./report.js";
import { ReferenceValue, UnknownValue, type SourceObject } from "./compared-source.js";

/** What was found about an object or one of its properties. */
export interface Found {
  readonly class: ComparedClass;
  readonly type: string;
  readonly name: string;
  readonly path: PropertyPath;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly secret?: boolean;
  readonly note?: string | undefined;
  readonly links: NonNullable<CompareFinding["links"]>;
  readonly places: NonNullable<CompareFinding["places"]>;
}

/** @param key key of the fingerprints, in hexadecimal */
export function compareFinding(found: Found, key: string): CompareFinding {
  const { left, right, secret = false, note, links, places } = found;
  const shown = (value: unknown) =>
    secret && value != null ? fingerprintSecret(value, key) : showValue(value);
  // The fingerprint of a secret with a part that is not known would look like that of a known one.
  const isSideUnknown = secret ? hasUnknownPart : isUnknown;
  const notKnown = (["left", "right"] as const).filter((side) => isSideUnknown({ left, right }[side]));
  return createFinding(found.class, found, found.path, {
    left: shown(left),
    right: shown(right),
    secret,
    note,
    notKnown: notKnown.length > 0 ? notKnown : undefined,
    links: Object.keys(links).length > 0 ? links : undefined,
    places: Object.keys(places).length > 0 ? places : undefined,
  });
}

/** Converts the arguments of a whole object for a finding. */
export function showArgs({ args, secrets }: SourceObject, key: string): Fields {
  const entries = Object.entries(args).map(([name, value]) => [
    name,
    secrets?.has(name) ? (fingerprintSecret(value, key) ?? NOT_KNOWN) : value,
  ]);
  return Object.fromEntries(entries) as Fields;
}

function fingerprintSecret(value: unknown, key: string): SecretValue | undefined {
  return hasUnknownPart(value) ? undefined : new SecretValue(fingerprint(key, toPlainValue(value)));
}

/** Converts a value for the report. */
function showValue(value: unknown): unknown {
  if (value instanceof ReferenceValue) return value.key;
  if (value instanceof UnknownValue) return undefined;
  const inside = (part: unknown) => (part instanceof UnknownValue ? NOT_KNOWN : showValue(part));
  if (Array.isArray(value)) return value.map((item) => inside(item) ?? null);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inside(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null));
}

function isUnknown(value: unknown): boolean {
  return value instanceof UnknownValue || (value instanceof ReferenceValue && !value.known);
}

function hasUnknownPart(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknownPart);
}
