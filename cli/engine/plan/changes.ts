/** Lists the properties of an object that change, with old and new values as text and names beside ids. */
import { idAtService } from "../urn.js";
import { formatPath, leavesOf, type PropertyPath } from "../../../diff/structural-diff.js";
import { sameJson, UNKNOWN } from "../../../diff/values.js";
import {
  isMasked,
  MASK,
  mapReferences,
  maskArgs,
  type Definition,
  type Fields,
} from "../../../provider/index.js";
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";

/** A property that changes; its path is such as `executeCommands[1]`. */
export interface PropertyChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A property that changes, with its whole values; secrets are masked. */
export interface ValueChange {
  readonly parts: PropertyPath;
  readonly before: unknown;
  readonly after: unknown;
}

type Properties = Readonly<Record<string, unknown>>;

/** Begins the names of properties that do not belong to the object, such as the text by which Pulumi finds the provider. */
const INTERNAL = "__";
const LONGEST_TEXT = 60;

export const NOTHING = "(none)";

/** Lists the properties that differ. Two secrets are never compared, because neither may be shown. */
export function changesBetween(
  before: Properties | undefined,
  after: Properties | undefined,
): PropertyChange[] {
  return valueChanges(before, after).map(({ parts, before: old, after: young }) => ({
    path: formatPath(parts),
    ...texts(old, young),
  }));
}

/** Lists the properties that differ, with their whole values. */
export function valueChanges(before: Properties | undefined, after: Properties | undefined): ValueChange[] {
  return keysOf(before, after).flatMap((key) => {
    const [one, other] = [before?.[key], after?.[key]];
    // A secret before or after makes both secret, and a secret part makes its whole property secret.
    const mask = isMasked(one) || isMasked(other) ? masked : (value: unknown) => value;
    return [...leavesOf([mask(one), mask(other)], { path: [key] })].flatMap(
      ({ path, values: [old, young] }) =>
        sameJson(old, young) ? [] : [{ parts: path, before: old, after: young }],
    );
  });
}

/** Lists the secret properties of an object: an update without a visible change has changed one of them. */
export function secretsOf(properties: Properties | undefined): string[] {
  return keysOf(properties).filter((key) => isMasked(properties?.[key]));
}

const masked = (value: unknown) => (value === undefined || value === null ? value : MASK);

function keysOf(...all: (Properties | undefined)[]): string[] {
  return [...new Set(all.flatMap((properties) => Object.keys(properties ?? {})))].filter(
    (key) => !key.startsWith(INTERNAL),
  );
}

/** Omits the properties that do not belong to the object. */
export function declaredProperties(properties: Properties): Record<string, unknown> {
  return Object.fromEntries(keysOf(properties).map((key) => [key, properties[key]]));
}

function texts(before: unknown, after: unknown): { before: string; after: string } {
  if (Array.isArray(before) && Array.isArray(after)) return listTexts(before, after);
  return { before: show(before), after: show(after) };
}

/** Shortens two lists of different lengths by their common start and end, so that the difference is visible. */
function listTexts(before: readonly unknown[], after: readonly unknown[]): { before: string; after: string } {
  const whole = { before: show(before), after: show(after) };
  if (!whole.before.endsWith("…") && !whole.after.endsWith("…")) return whole;
  const shorter = Math.min(before.length, after.length);
  let first = 0;
  while (first < shorter && sameJson(before[first], after[first])) first += 1;
  let last = 0;
  while (last < shorter - first && sameJson(before.at(-1 - last), after.at(-1 - last))) last += 1;
  if (first + last === 0) return whole;
  const alike = (count: number) => (count === 0 ? [] : [`(${count} as before)`]);
  const text = (list: readonly unknown[]) =>
    show([...alike(first), ...list.slice(first, list.length - last), ...alike(last)]);
  return { before: text(before), after: text(after) };
}

/** Formats a value as one line: strings are quoted, long values truncated, secrets masked. */
export function show(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  if (value === UNKNOWN) return "(known later)";
  if (isMasked(value)) return MASK;
  const shown = JSON.stringify(value, (_key, inner: unknown) =>
    inner === UNKNOWN ? "(known later)" : inner,
  );
  return shown.length <= LONGEST_TEXT ? shown : `${shown.slice(0, LONGEST_TEXT - 1)}…`;
}

/** Collects the names of all objects in the engine's events. */
export class ObjectLabels {
  private readonly names = new Map<string, Map<string, string>>();

  note({ type, document }: Definition, { old, new: fresh }: StepEventMetadata): void {
    const state = fresh?.id ? fresh : old;
    const name = (state?.inputs as Fields | undefined)?.[document?.keyedBy ?? ""];
    if (!state?.id || typeof name !== "string") return;
    const number = idAtService(state.id);
    const known = this.names.get(type) ?? new Map<string, string>();
    this.names.set(type, known.set(number, name));
  }

  /** Prepares arguments for display: secrets masked, and a name beside each known id. */
  in(definition: Definition | undefined, args: Fields | undefined): Fields | undefined {
    if (args === undefined || definition === undefined) return args;
    const shown = maskArgs(definition, args);
    const referring = Object.entries(definition.references).filter(([arg]) => arg in shown);
    const named = referring.map(([arg, reference]): [string, unknown] => [
      arg,
      mapReferences(reference, shown[arg], ({ to }, id) => {
        const name = typeof id === "number" ? this.names.get(to)?.get(String(id)) : undefined;
        return name === undefined ? id : `${name} (${String(id)})`;
      }),
    ]);
    return { ...shown, ...Object.fromEntries(named) };
  }
}
