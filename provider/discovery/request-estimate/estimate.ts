/**
 * Estimates the requests of a plan: the provider's own code applies it to a simulated service. So no type declares the
 * cost of its operations, and new types are counted correctly from the start.
 */
import { isSameJson, isSecret, UNKNOWN } from "../../../diff/values.js";
import type { Definition, Fields, Reference } from "../../../resources/definition/definition.js";
import { countCommonParts, LogicalName } from "../../../resources/definition/logical-name.js";
import { mapReferences } from "../../../resources/definition/reference-paths.js";
import { ProviderError } from "../../../resources/errors.js";
import { create } from "../../crud/create.js";
import { deleteObject } from "../../crud/delete.js";
import { getIdentity } from "../../crud/diff.js";
import { noteOwnership } from "../../crud/exclusive-ownership.js";
import { update } from "../../crud/update.js";
import type { PlannedChange } from "../list-changes.js";
import { mayHaveTwin } from "../twins.js";
import { type Count, type ServiceFacts, SimulatedService } from "./simulated-service.js";

export type { Count } from "./simulated-service.js";

/** One object of a plan. */
export interface EstimatedStep extends PlannedChange {
  /** Logical name: a path that begins with the names of its parents. */
  readonly name: string;
}

export interface RequestEstimate extends ServiceFacts {
  /** In the order of the engine. */
  readonly steps: readonly EstimatedStep[];
  /** Whether the run looks for twins of its new objects at its end. */
  readonly looksForTwins?: boolean;
}

/** The requests of each step, and at last those of the look for twins. */
export async function estimateRequests(plan: RequestEstimate): Promise<Count[]> {
  const { steps } = plan;
  const service = new SimulatedService(plan);
  for (const { definition, name, before } of steps)
    if (before) service.know(name, { definition, state: before });
  const made = new Map<string, SimulatedObject>();
  const counts: Count[] = [];
  for (const step of steps) {
    const [reads, writes] = [service.reads, service.writes];
    await attempt(service, step, made).catch(() => {
      // A step that fails here, for lack of information, is still sent.
      if (service.writes === writes) service.writes++;
    });
    counts.push({ reads: service.reads - reads, writes: service.writes - writes });
  }
  if (plan.looksForTwins) counts.push({ reads: countTwinReads(service, steps), writes: 0 });
  return counts;
}

/** At its end, a run reads the lists of new objects once more (twins.ts), except in parents that are new themselves. */
function countTwinReads(service: SimulatedService, steps: readonly EstimatedStep[]): number {
  const created = steps.filter(({ operation }) => operation === "create");
  const names = new Set(created.map(({ name }) => name));
  const lists = new Set<string>();
  for (const { name } of created) {
    const known = service.find(name);
    const isInNew = new LogicalName(name).ancestors.some((parent) => names.has(parent));
    if (known === undefined || isInNew || !mayHaveTwin(known)) continue;
    const list = known.definition.list(service.context, known.state);
    if (list !== undefined) lists.add(list.key);
  }
  const { reads } = service;
  for (const key of lists) service.list(key, true);
  return service.reads - reads;
}

/** Performs a step. Names that only the service can resolve get any id. */
async function attempt(
  service: SimulatedService,
  step: EstimatedStep,
  made: Map<string, SimulatedObject>,
): Promise<void> {
  try {
    await simulate(service, step, made);
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === "unknown-reference")) throw error;
    const lookups: NonNullable<Reference["lookup"]>[] = [];
    const found = ({ lookup }: Reference, name: unknown) => {
      if (typeof name !== "string" || name === UNKNOWN || !lookup) return name;
      lookups.push(lookup);
      return service.newNumber();
    };
    const numbered = Object.entries(step.after ?? {}).map(([arg, value]) => {
      const reference = step.definition.references[arg];
      return [arg, reference ? mapReferences(reference, value, found) : value] as const;
    });
    for (const lookup of lookups) await lookup(service.context, step.after ?? {}).catch(() => undefined);
    await simulate(service, { ...step, after: Object.fromEntries(numbered) }, made);
  }
}

async function simulate(
  service: SimulatedService,
  { operation, definition, name, before = {}, after = {} }: EstimatedStep,
  made: Map<string, SimulatedObject>,
): Promise<void> {
  const { context } = service;
  if (operation === "same" || operation === "release") return;
  const news = fillPlaceholders(definition, name, after, made, () => service.newNumber());
  if (operation !== "delete") noteOwnership(definition, context, before, news);
  if (operation === "delete" || operation === "replace") {
    service.forget(name);
    await deleteObject(definition, context, before);
  }
  if (operation === "create" || operation === "adopt" || operation === "replace") {
    const args = operation === "adopt" ? { ...news, adopt: true } : news;
    const { outs } = await create(definition, context, args);
    service.know(name, { definition, state: outs });
    made.set(name, { type: definition.type, number: outs[definition.identity.state] });
  }
  if (operation === "update") {
    const { outs } = await update(definition, context, before, withSecrets(definition, before, news));
    service.know(name, { definition, state: { ...getIdentity(definition, before), ...outs } });
  }
}

/** Two masked secrets cannot be compared. They count as different when nothing else differs. */
function withSecrets(definition: Definition, before: Fields, news: Fields): Fields {
  const differs = (name: string) => !isSameJson(before[name], news[name]);
  if (Object.keys(definition.args.shape).some(differs)) return news;
  const masked = Object.keys(news).filter((name) => isSecret(news[name]));
  return { ...news, ...Object.fromEntries(masked.map((name) => [name, UNKNOWN])) };
}

/** An object that the simulated service has created. */
interface SimulatedObject {
  readonly type: string;
  readonly number: unknown;
}

/**
 * Fills in every unknown value of the arguments. A reference gets the object's parent if that is new, otherwise the nearest new
 * objects of the type, one after the other.
 */
function fillPlaceholders(
  definition: Definition,
  name: string,
  args: Fields,
  made: ReadonlyMap<string, SimulatedObject>,
  newNumber: () => number,
): Fields {
  const entries = Object.entries(args).map(([arg, value]) => {
    const reference = definition.references[arg];
    const near = reference ? listCandidates(reference.to, name, made) : [];
    return [arg, fill(value, () => near.shift() ?? newNumber())] as const;
  });
  return Object.fromEntries(entries);
}

function listCandidates(type: string, name: string, made: ReadonlyMap<string, SimulatedObject>): unknown[] {
  const found = [...made].filter(([, one]) => one.type === type);
  const parent = found.filter(([other]) => name.startsWith(`${other}/`));
  const beside = found.filter(([other]) => countCommonParts(other, name) >= name.split("/").length - 1);
  return (parent.length > 0 ? parent : beside).map(([, { number }]) => number);
}

function fill(value: unknown, next: () => unknown): unknown {
  if (value === UNKNOWN) return next();
  if (Array.isArray(value)) return value.map((item) => fill(item, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, next)]));
}
