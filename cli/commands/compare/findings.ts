/** Turns results into published findings: secrets are fingerprinted, and values are plain JSON. */
import { createHash } from "node:crypto";
import { fingerprint } from "../../../diff/fingerprint.js";
import { formatPath } from "../../../provider/definition/problems.js";
import type { ComparedObject } from "./compare.js";
import { plainValue } from "./differences.js";
import type { CompareFinding } from "./model.js";
import { ReferenceValue, SensitiveValue, UnknownValue } from "./object.js";
import { comparedClasses } from "./classes.js";

/** @param key key of the fingerprints, in hexadecimal */
export function compareFindings(all: readonly ComparedObject[], key: string): CompareFinding[] {
  return all.map((found) => findingOf(found, key)).toSorted(inOrder);
}

function findingOf(
  { class: of, type, name, path, left, right, note, links, places }: ComparedObject,
  key: string,
): CompareFinding {
  const at = formatPath(path);
  const id = createHash("sha256").update([of, type, name, at].join("\n")).digest("hex").slice(0, 12);
  const secret = [left, right].some(isSecret);
  const shown = (value: unknown) =>
    secret && !isUnknown(value) && value != null ? fingerprint(key, plainValue(value)) : visible(value, key);
  const notKnown = (["left", "right"] as const).filter((side) => isUnknown({ left, right }[side]));
  return {
    id,
    class: of,
    type,
    name,
    path: at,
    pathParts: [...path],
    ...given({ left: shown(left), right: shown(right) }),
    secret,
    ...(notKnown.length > 0 ? { notKnown } : {}),
    ...(note === undefined ? {} : { note }),
    ...(Object.keys(links).length > 0 ? { links } : {}),
    ...(Object.keys(places).length > 0 ? { places } : {}),
  };
}

/** Converts a value for the report: fingerprints for secrets, names for objects. */
function visible(value: unknown, key: string): unknown {
  if (value instanceof SensitiveValue) return fingerprint(key, plainValue(value.value));
  if (value instanceof ReferenceValue) return value.key;
  if (value instanceof UnknownValue) return undefined;
  if (Array.isArray(value)) return value.map((item) => visible(item, key) ?? null);
  if (typeof value !== "object" || value === null) return value;
  return given(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, visible(inner, key)])));
}

function isSecret(value: unknown): boolean {
  return value instanceof SensitiveValue || (value instanceof UnknownValue && value.isSecret);
}

function isUnknown(value: unknown): boolean {
  return value instanceof UnknownValue || (value instanceof ReferenceValue && !value.known);
}

function given(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function inOrder(a: CompareFinding, b: CompareFinding): number {
  const rank = (one: CompareFinding) => comparedClasses.indexOf(one.class);
  return rank(a) - rank(b) || order(a.name, b.name) || order(a.type, b.type) || order(a.path, b.path);
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
