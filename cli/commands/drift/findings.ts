/** Turns observations into findings. */
import { createHash } from "node:crypto";
import { hasUnknown, sameJson } from "../../../diff/values.js";
import { isMasked, MASK, type Definition, type Searched } from "../../../provider/index.js";
import { argsFromPlace } from "../../../provider/definition/placement.js";
import { escapeKey } from "../../../provider/definition/logical-name.js";
import { formatPath, type PropertyPath } from "../../../provider/definition/problems.js";
import type { PlanStep } from "../../engine/plan/steps.js";
import type { Unverifiable } from "../../engine/plan/write-only.js";
import { driftDifferences } from "./differences.js";
import { labelsIn, type FindingLabels } from "./labels.js";
import { findingClasses, type DriftFinding, type FindingClass, type UnreadObject } from "./model.js";
import type { Observed, ObservedSide } from "./observed.js";
import { scopesFor } from "../../reporters/scopes.js";

export interface Observation {
  readonly objects: readonly Observed[];
  readonly steps: readonly PlanStep[];
  readonly unverifiable: readonly Unverifiable[];
  readonly searched: Searched;
  readonly labels: FindingLabels;
}

type Told = Partial<Omit<DriftFinding, "id" | "class" | "type" | "name" | "path" | "pathParts">>;

/** Lists every difference between file, state and workspace once. */
export function driftFindings(seen: Observation): DriftFinding[] {
  const found = [
    ...seen.objects.flatMap((object) => ofObject(object, seen)),
    ...seen.searched.found.map(added),
  ];
  const told = new Set(found.map(({ name, path }) => `${name}\n${path}`));
  const unread = new Set(
    seen.objects.filter(({ unreadable }) => unreadable !== undefined).map(({ name }) => name),
  );
  const hidden = seen.unverifiable
    .filter(({ name, path }) => !told.has(`${name}\n${path}`) && !told.has(`${name}\n`) && !unread.has(name))
    .map((one) => unverifiable(one, seen.objects));
  const all = [...found, ...hidden];
  return all.map((finding) => withLink(finding, seen.objects)).toSorted(inOrder);
}

/** Lists what could not be read. */
export function incompleteOf({
  objects,
  searched,
}: Pick<Observation, "objects" | "searched">): UnreadObject[] {
  const unread = objects.flatMap(({ definition: { type }, name, unreadable }) =>
    unreadable === undefined
      ? []
      : [{ type, name, list: false, reason: unreadable, ...scopesFor(unreadable) }],
  );
  const unlisted = searched.unlisted.map(({ type, holder, reason }) => ({
    type,
    ...(holder === undefined ? {} : { name: holder }),
    list: true,
    reason,
    ...scopesFor(reason),
  }));
  return [...unread, ...unlisted].toSorted(
    (a, b) => compare(a.type, b.type) || compare(a.name ?? "", b.name ?? ""),
  );
}

function ofObject(object: Observed, { steps, labels }: Observation): DriftFinding[] {
  const { definition, name, declared, applied, live, replaced, formerName } = object;
  const make = (of: FindingClass, path: PropertyPath, more: Told) =>
    finding(of, definition.type, name, path, more);
  if (declared !== undefined && live === undefined) {
    // It was deleted together with its parent, which is reported and created first.
    const gone = applied !== undefined;
    const more = gone ? { applied: whole(definition, applied) } : { operation: "create" as const };
    return [make(gone ? "deleted" : "pending", [], { declared: whole(definition, declared), ...more })];
  }
  if (live === undefined) return [];
  if (declared === undefined) {
    const operation = steps.find((step) => step.name === name && step.operation === "release")
      ? "release"
      : "delete";
    return [
      make("pending", [], { operation, live: whole(definition, live), note: "it is declared no longer" }),
    ];
  }
  const operation = replaced ? ("replace" as const) : ("update" as const);
  return driftDifferences(object).map(({ path, outside, declared, applied, live, secret }) => {
    const alsoPending = outside && !sameJson(declared, applied);
    const notes = [
      ...(alsoPending ? ["the file was changed too"] : []),
      ...(formerName === undefined ? [] : [`the state knows it as ${formerName}`]),
    ];
    return make(outside ? "changed" : "pending", path, {
      ...defined({ declared, applied, live }),
      secret,
      ...(outside ? {} : { operation }),
      ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
      ...labelsIn(labels, definition, path, [declared, applied, live]),
    });
  });
}

function added({ type, section, key, holder, id, htmlUrl, args }: Searched["found"][number]): DriftFinding {
  const name = [...(holder === undefined ? [] : [holder]), section, escapeKey(key)].join("/");
  return finding("added", type, name, [], {
    live: args,
    note: `number or name at the service: ${id}`,
    ...(htmlUrl === undefined ? {} : { link: htmlUrl }),
  });
}

function unverifiable({ type, name, parts }: Unverifiable, objects: readonly Observed[]): DriftFinding {
  const object = objects.find((one) => one.name === name && one.definition.type === type);
  const [arg = "", ...inner] = parts.map(String);
  const whole = object?.declared?.args[arg];
  const secret = isMasked(whole);
  if (inner.length > 0) {
    const note = "not compared: the service adds it by itself, or nobody declared it";
    return finding("unverifiable", type, name, parts, { secret, note });
  }
  const declared = secret ? object?.declared?.fingerprints[arg] : whole;
  return finding("unverifiable", type, name, parts, { ...defined({ declared }), secret });
}

function finding(of: FindingClass, type: string, name: string, path: PropertyPath, more: Told): DriftFinding {
  const at = formatPath(path);
  const id = createHash("sha256").update([of, type, name, at].join("\n")).digest("hex").slice(0, 12);
  return { id, class: of, type, name, path: at, pathParts: [...path], secret: false, ...more };
}

/** Arguments of an object with fingerprints for secrets, without those that follow from its name. */
function whole(definition: Definition, { args, fingerprints }: ObservedSide): Record<string, unknown> {
  const placed = argsFromPlace(definition);
  const shown = Object.entries(args)
    .filter(([name, value]) => !placed.includes(name) && !hasUnknown(value))
    .map(([name, value]) => [name, isMasked(value) ? (fingerprints[name] ?? MASK) : value]);
  return Object.fromEntries(shown) as Record<string, unknown>;
}

/** Web address of the object, or of its nearest ancestor that has one. */
function withLink(one: DriftFinding, objects: readonly Observed[]): DriftFinding {
  if (one.link !== undefined) return one;
  let link: string | undefined;
  let longest = -1;
  for (const { name, outputs, live } of objects) {
    const { htmlUrl } = outputs;
    const above = one.name === name || one.name.startsWith(`${name}/`);
    if (!above || live === undefined || typeof htmlUrl !== "string" || name.length <= longest) continue;
    [link, longest] = [htmlUrl, name.length];
  }
  return link === undefined ? one : { ...one, link };
}

function inOrder(a: DriftFinding, b: DriftFinding): number {
  const rank = (one: DriftFinding) => findingClasses.indexOf(one.class);
  return rank(a) - rank(b) || compare(a.name, b.name) || compare(a.type, b.type) || compare(a.path, b.path);
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
