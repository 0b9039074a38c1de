/** The properties of an object that change, with old and new values and names next to ids, and those that cannot be verified. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { diffLeaves, formatPath, getValueAt, type PropertyPath } from "../../diff/structural-diff.js";
import { hasSecret, HIDDEN, isPlain, isSameJson, isSecret, UNKNOWN } from "../../diff/values.js";
import {
  type Definition,
  type Fields,
  findDefinition,
  listUnverifiable,
  mapReferences,
  NOT_COMPARED,
} from "../../provider/index.js";
import { listArgsFromParent } from "../../resources/definition/placement.js";
import { parseIdAtService } from "../urn.js";

/** A property that changes, with its whole values; secrets are masked. */
export interface PropertyChange {
  readonly parts: PropertyPath;
  /** Such as `executeCommands[1]`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Begins the names of properties that do not belong to the object, such as the text by which Pulumi finds the provider. */
const INTERNAL = "__";

/**
 * Lists the properties that differ. Two secrets are never compared, because neither may be shown.
 * @param open properties whose secret parts are masked on the sides that may be shown
 */
export function listChangesBetween(
  before: Fields | undefined,
  after: Fields | undefined,
  open: ReadonlySet<string> = new Set(),
): PropertyChange[] {
  return listKeys(before, after).flatMap((key) => {
    const [one, other] = [before?.[key], after?.[key]];
    if (open.has(key) && (isSecret(one) || isSecret(other)))
      return isSameJson(one, other) ? [] : [createChangeAt([key], one, other)];
    // A secret before or after makes both secret, and a secret part makes its whole property secret.
    const mask = hasSecret(one) || hasSecret(other) ? maskValue : (value: unknown) => value;
    return [...diffLeaves([mask(one), mask(other)], { path: [key] })].flatMap(
      ({ path, values: [valueBefore, valueAfter] }) =>
        isSameJson(valueBefore, valueAfter) ? [] : [createChangeAt(path, valueBefore, valueAfter)],
    );
  });
}

export function createChangeAt(parts: PropertyPath, before: unknown, after: unknown): PropertyChange {
  return { parts, path: formatPath(parts), before, after };
}

/** Lists the secret properties of an object: an update without a visible change has changed one of them. */
export function listSecrets(properties: Fields | undefined): string[] {
  return listKeys(properties).filter((key) => hasSecret(properties?.[key]));
}

const maskValue = (value: unknown) => (value === undefined || value === null ? value : HIDDEN);

function listKeys(...all: (Fields | undefined)[]): string[] {
  return [...new Set(all.flatMap((properties) => Object.keys(properties ?? {})))].filter(
    (key) => !key.startsWith(INTERNAL),
  );
}

/** Omits the properties that do not belong to the object. */
export function pickDeclared(properties: Fields): Record<string, unknown> {
  return Object.fromEntries(listKeys(properties).map((key) => [key, properties[key]]));
}

/** The arguments that an entry in a file has. */
export function pickOwnArguments(type: string, args: Fields): Record<string, unknown> {
  const definition = findDefinition(type);
  const placed = definition === undefined ? [] : listArgsFromParent(definition);
  const own = Object.entries(pickDeclared(args)).filter(([name, value]) => {
    return value !== undefined && value !== null && !placed.includes(name);
  });
  return Object.fromEntries(own);
}

/** Replaces the values that are known later. @param replace returns the replacement, given what the file says in their place */
export function fillUnknown(
  value: unknown,
  written: unknown,
  replace: (written: unknown) => unknown,
): unknown {
  if (value === UNKNOWN) return replace(written);
  const fill = (part: unknown, step: string | number) =>
    fillUnknown(part, getValueAt(written, [step]), replace);
  if (Array.isArray(value)) return value.map(fill);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, key)]));
}

/** Collects the names of all objects in the engine's events. */
export class ObjectLabels {
  private readonly names = new Map<string, Map<string, string>>();

  note({ type, document, sharedKey }: Definition, { old, new: fresh }: StepEventMetadata): void {
    const state = fresh?.id ? fresh : old;
    const inputs: Fields = state?.inputs ?? {};
    const name = inputs[sharedKey?.key ?? ""] ?? inputs[document?.keyedBy ?? ""];
    if (!state?.id || typeof name !== "string") return;
    const number = parseIdAtService(state.id);
    const known = this.names.get(type) ?? new Map<string, string>();
    this.names.set(type, known.set(number, name));
  }

  /** The name of an object. */
  nameOf(type: string, id: unknown): string | undefined {
    return typeof id === "number" ? this.names.get(type)?.get(String(id)) : undefined;
  }

  /** Puts a name next to each known id. @param shown arguments, of which secrets are masked */
  in(definition: Definition | undefined, shown: Fields | undefined): Fields | undefined {
    if (shown === undefined || definition === undefined) return shown;
    const referring = Object.entries(definition.references).filter(([arg]) => arg in shown);
    const named = referring.map(([arg, reference]): [string, unknown] => [
      arg,
      mapReferences(reference, shown[arg], ({ to }, id) => {
        const name = this.nameOf(to, id);
        return name === undefined ? id : `${name} (${String(id)})`;
      }),
    ]);
    return { ...shown, ...Object.fromEntries(named) };
  }
}

export interface Unverifiable {
  readonly type: string;
  readonly name: string;
  /** The property. */
  readonly path: string;
  readonly parts: PropertyPath;
}

/** Lists the write-only properties of an object that stays in the state. */
export function listUnverifiablePaths(
  definition: Definition,
  { old, new: fresh }: StepEventMetadata,
): Pick<Unverifiable, "path" | "parts">[] {
  if (!old?.id || !fresh || definition.ephemeral) return [];
  const outputs: Readonly<Record<string, unknown>> = { ...old.outputs, ...fresh.outputs };
  const names = listUnverifiable(definition, fresh.inputs, outputs).map((name) => [name]);
  const notCompared = (outputs[NOT_COMPARED] ?? []) as readonly PropertyPath[];
  return [...names, ...notCompared].map((parts) => ({ path: formatPath(parts), parts }));
}
