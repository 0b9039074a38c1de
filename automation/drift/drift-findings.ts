/** Turns observations into findings. */
import { buildFindingId, compareTexts, createFinding, sortFindings } from "../../diff/finding.js";
import { hasSecret, hasUnknown, HIDDEN, isSameJson } from "../../diff/values.js";
import { type Definition, type Searched } from "../../provider/index.js";
import { buildNameIn, isWithin } from "../../resources/definition/logical-name.js";
import { listArgsFromParent } from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { SecretValue } from "../../text/json-value.js";
import { listDriftDifferences } from "../plan/outside-changes.js";
import type { Observed, ObservedSide } from "../plan/planned-objects.js";
import type { ObjectLabels, Unverifiable } from "../plan/property-changes.js";
import type { PlanStep } from "../plan/record-plan.js";
import { findingClasses } from "../report/finding-classes.js";
import { findScopesFor } from "../report/scopes.js";
import { type DriftFinding, identifyObject, type UnreadObject } from "./drift-report.js";
import { noteExchanges } from "./exchanged.js";

interface Observation {
  readonly objects: readonly Observed[];
  readonly steps: readonly PlanStep[];
  readonly unverifiable: readonly Unverifiable[];
  readonly searched: Searched;
  readonly labels: Pick<ObjectLabels, "nameOf">;
}

/** Lists every difference between file, state and workspace once. */
export function listDriftFindings(seen: Observation): DriftFinding[] {
  const ofObjects = seen.objects.flatMap((object) => describeObjectDrift(object, seen));
  const deleted = new Set(ofObjects.flatMap((one) => (one.class === "deleted" ? [one.name] : [])));
  const found = [...ofObjects, ...listAdded(seen.searched.found, deleted)];
  const reported = new Set(found.map(({ type, name, path }) => identifyObject(type, name, path)));
  for (const { definition, name, unreadable } of seen.objects)
    if (unreadable !== undefined) reported.add(identifyObject(definition.type, name));
  const hidden = seen.unverifiable
    .filter(
      ({ type, name, path }) =>
        !reported.has(identifyObject(type, name, path)) && !reported.has(identifyObject(type, name)),
    )
    .map((one) => describeUnverifiable(one, seen.objects));
  const all = noteExchanges([...found, ...hidden]);
  return sortFindings(
    all.map((finding) => withLink(finding, seen.objects)),
    findingClasses,
  );
}

/** Lists what could not be read. */
export function describeIncomplete({
  objects,
  searched,
}: Pick<Observation, "objects" | "searched">): UnreadObject[] {
  const unread = objects.flatMap(({ definition: { type }, name, unreadable }) =>
    unreadable === undefined
      ? []
      : [{ type, name, list: false, reason: unreadable, ...findScopesFor(unreadable) }],
  );
  const unlisted = searched.unlisted.map(({ type, parent, reason }) => ({
    type,
    ...(parent === undefined ? {} : { name: parent }),
    list: true,
    reason,
    ...findScopesFor(reason),
  }));
  return [...unread, ...unlisted].toSorted((a, b) =>
    compareTexts([a.type, a.name ?? ""], [b.type, b.name ?? ""]),
  );
}

function describeObjectDrift(object: Observed, { steps, labels }: Observation): DriftFinding[] {
  const { definition, name, declared, applied, live, replaced, formerName } = object;
  const at = { type: definition.type, name };
  if (declared !== undefined && live === undefined) {
    const values = { declared: showWhole(definition, declared) };
    if (applied === undefined) return [createFinding("pending", at, [], { ...values, operation: "create" })];
    // It may have been deleted together with its parent, which is reported and created first.
    return [createFinding("deleted", at, [], { ...values, applied: showWhole(definition, applied) })];
  }
  if (live === undefined) return [];
  if (declared === undefined) {
    const isReleased = steps.some((step) => step.name === name && step.operation === "release");
    const operation = isReleased ? "release" : "delete";
    const note = "it is no longer declared";
    return [createFinding("pending", at, [], { operation, live: showWhole(definition, live), note })];
  }
  const operation = replaced ? "replace" : "update";
  return listDriftDifferences(object).map(({ path, outside, declared, applied, live, secret }) => {
    const notes = [
      ...(outside && !isSameJson(declared, applied) ? ["the file was changed too"] : []),
      ...(formerName === undefined ? [] : [`its name in the state is ${formerName}`]),
    ];
    return createFinding(outside ? "changed" : "pending", at, path, {
      declared,
      applied,
      live,
      secret,
      operation: outside ? undefined : operation,
      note: notes.length > 0 ? notes.join("; ") : undefined,
      ...pickLabels(labels, definition, path, [declared, applied, live]),
    });
  });
}

/** Returns the logical name that an unmanaged object would get. */
export function buildUnmanagedName({ parent, section, key }: Searched["found"][number]): string {
  return buildNameIn(parent, section, key);
}

/** Describes unmanaged objects. Of several with one name, the first keeps the id of the name, and the others get ids of their own. */
function listAdded(found: Searched["found"], deleted: ReadonlySet<string>): DriftFinding[] {
  const ids = new Set<string>();
  return found.map((one) => {
    const added = describeAdded(one, deleted);
    const id = ids.has(added.id) ? buildFindingId([added.id, one.id]) : added.id;
    ids.add(id);
    return { ...added, id };
  });
}

function describeAdded(one: Searched["found"][number], deleted: ReadonlySet<string>): DriftFinding {
  const { type, id, htmlUrl, args } = one;
  const name = buildUnmanagedName(one);
  const again = deleted.has(name)
    ? `created again under this name (to keep what the file says, write "adopt: true" in its entry and run "workspacectl up"), `
    : "";
  const note = `${again}id or name in the service: ${id}`;
  return createFinding("added", { type, name }, [], { live: args, note, link: htmlUrl });
}

function describeUnverifiable(at: Unverifiable, objects: readonly Observed[]): DriftFinding {
  const object = objects.find((one) => one.name === at.name && one.definition.type === at.type);
  const [arg = "", ...inner] = at.parts.map(String);
  const value = object?.declared?.args[arg];
  const secret = hasSecret(value);
  if (inner.length > 0) {
    const note = "not compared: it was added by the service, or is not declared";
    return createFinding("unverifiable", at, at.parts, { secret, note });
  }
  const declared = secret ? fingerprintIn(object?.declared?.fingerprints, arg) : value;
  return createFinding("unverifiable", at, at.parts, { declared, secret });
}

/** Arguments of an object with fingerprints for secrets, without those that follow from its name. */
function showWhole(definition: Definition, { args, fingerprints }: ObservedSide): Record<string, unknown> {
  const placed = listArgsFromParent(definition);
  const shown = Object.entries(args)
    .filter(([name, value]) => !placed.includes(name) && !hasUnknown(value))
    .map(([name, value]) => [name, hasSecret(value) ? (fingerprintIn(fingerprints, name) ?? HIDDEN) : value]);
  return Object.fromEntries(shown) as Record<string, unknown>;
}

function fingerprintIn(
  fingerprints: ObservedSide["fingerprints"] = {},
  arg: string,
): SecretValue | undefined {
  const print = fingerprints[arg];
  return print === undefined ? undefined : new SecretValue(print);
}

/** Web address of the object, or of its nearest ancestor that has one. */
function withLink(one: DriftFinding, objects: readonly Observed[]): DriftFinding {
  if (one.link !== undefined) return one;
  let link: string | undefined;
  let longest = -1;
  for (const { name, outputs, live } of objects) {
    const { htmlUrl } = outputs;
    const above = isWithin(one.name, name);
    if (!above || live === undefined || typeof htmlUrl !== "string" || name.length <= longest) continue;
    [link, longest] = [htmlUrl, name.length];
  }
  return link === undefined ? one : { ...one, link };
}

/** Finds the names for ids in the values of a property. */
function pickLabels(
  labels: Observation["labels"],
  definition: Definition,
  [argument]: PropertyPath,
  values: readonly unknown[],
): { labels?: Record<string, string> } {
  const reference = definition.references[String(argument)];
  if (reference === undefined) return {};
  const types = [reference.to, ...Object.values(reference.each ?? {}).map(({ to }) => to)];
  const found: Record<string, string> = {};
  const note = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(note);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
    else
      for (const type of types) {
        const name = labels.nameOf(type, value);
        if (name !== undefined) found[String(value)] = name;
      }
  };
  values.forEach(note);
  return Object.keys(found).length > 0 ? { labels: found } : {};
}
