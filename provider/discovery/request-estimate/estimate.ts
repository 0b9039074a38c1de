/**
 * How many requests a plan takes: the provider's own code carries it out on paper. So no type declares what its operations
 * cost, and a new type is counted right from its first day.
 */
import { create } from "../../crud/create.js";
import type { Definition, Fields, Reference } from "../../definition/definition.js";
import { identityOf } from "../../crud/diff.js";
import { ProviderError } from "../../errors.js";
import { noteHolding } from "../../crud/exclusive-ownership.js";
import { read, remove, update } from "../../crud/lifecycle.js";
import { mapReferences } from "../../definition/reference-paths.js";
import { isSecret, sameJson, UNKNOWN } from "../../../diff/values.js";
import { PaperService, type Count } from "./simulated-service.js";
import { filled, type Made } from "./unknown-ids.js";

export type { Count } from "./simulated-service.js";

/** One object of a plan. */
export interface RehearsedStep {
  readonly operation: "same" | "create" | "adopt" | "update" | "replace" | "delete" | "release";
  readonly definition: Definition;
  /** Logical name: a path in which the names of what it stands in come first. */
  readonly name: string;
  /** Arguments and outputs in the state. */
  readonly before?: Fields;
  /** Declared arguments; what is not known yet is Pulumi's fixed text, secrets are marked or masked. */
  readonly after?: Fields;
}

export interface Rehearsal {
  readonly workspace: string;
  readonly baseUrl: string;
  /** In the order of the engine. */
  readonly steps: readonly RehearsedStep[];
  readonly callerId?: number;
  /** How many items lists have, by their keys, as an earlier run saw them. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** The same process reads everything into the state before: what it read is not read again. */
  readonly refreshed: boolean;
}

/** What each step costs; in the order of the steps. */
export async function rehearse(rehearsal: Rehearsal): Promise<Count[]> {
  const { steps, callerId, sizes = new Map<string, number>(), refreshed } = rehearsal;
  const paper = new PaperService(rehearsal, callerId, sizes);
  for (const { definition, name, before } of steps) if (before) paper.know(name, { definition, at: before });
  if (refreshed) await readAll(paper, steps);
  const made = new Map<string, Made>();
  const counts: Count[] = [];
  for (const step of steps) {
    const [reads, writes] = [paper.reads, paper.writes];
    await attempt(paper, step, made).catch(() => {
      // What fails on paper, for want of knowledge, is still sent.
      if (paper.writes === writes) paper.writes++;
    });
    counts.push({ reads: paper.reads - reads, writes: paper.writes - writes });
  }
  return counts;
}

/** What a refresh has read is measured elsewhere; here it is only known afterwards. */
async function readAll(paper: PaperService, steps: readonly RehearsedStep[]): Promise<void> {
  for (const { definition, before } of steps)
    if (before) await read(definition, paper.context, before).catch(() => undefined);
  paper.reads = 0;
}

/** Names of what the state does not know are found in the service only: any number stands for them. */
async function attempt(paper: PaperService, step: RehearsedStep, made: Map<string, Made>): Promise<void> {
  try {
    await carryOut(paper, step, made);
  } catch (error) {
    if (!(error instanceof ProviderError && error.code === "unknown-reference")) throw error;
    const lookups: NonNullable<Reference["lookup"]>[] = [];
    const found = ({ lookup }: Reference, name: unknown) => {
      if (typeof name !== "string" || name === UNKNOWN || !lookup) return name;
      lookups.push(lookup);
      return paper.newNumber();
    };
    const numbered = Object.entries(step.after ?? {}).map(([arg, value]) => {
      const reference = step.definition.references[arg];
      return [arg, reference ? mapReferences(reference, value, found) : value] as const;
    });
    for (const lookup of lookups) await lookup(paper.context, step.after ?? {}).catch(() => undefined);
    await carryOut(paper, { ...step, after: Object.fromEntries(numbered) }, made);
  }
}

async function carryOut(
  paper: PaperService,
  { operation, definition, name, before = {}, after = {} }: RehearsedStep,
  made: Map<string, Made>,
): Promise<void> {
  const { context } = paper;
  if (operation === "same" || operation === "release") return;
  const news = filled(definition, name, after, made, () => paper.newNumber());
  if (operation !== "delete") noteHolding(definition, context, before, news);
  if (operation === "delete" || operation === "replace") {
    paper.forget(name);
    await remove(definition, context, before);
  }
  if (operation === "create" || operation === "adopt" || operation === "replace") {
    const args = operation === "adopt" ? { ...news, adopt: true } : news;
    const { outs } = await create(definition, context, args);
    paper.know(name, { definition, at: outs });
    made.set(name, { type: definition.type, number: outs[definition.identity.state] });
  }
  if (operation === "update") {
    const { outs } = await update(definition, context, before, withSecrets(definition, before, news));
    paper.know(name, { definition, at: { ...identityOf(definition, before), ...outs } });
  }
}

/** Of two masked secrets it cannot be said whether they differ. Where nothing else does, they do. */
function withSecrets(definition: Definition, before: Fields, news: Fields): Fields {
  const differs = (name: string) => !sameJson(before[name], news[name]);
  if (Object.keys(definition.args.shape).some(differs)) return news;
  const masked = Object.keys(news).filter((name) => isSecret(news[name]) || news[name] === "[secret]");
  return { ...news, ...Object.fromEntries(masked.map((name) => [name, UNKNOWN])) };
}
