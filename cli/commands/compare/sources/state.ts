/** Converts the state of a stack to the common form. */
import { definitions, isMasked, mapReferences, type Fields } from "../../../../provider/index.js";
import { exclusiveObjects } from "../exclusive-sections.js";
import {
  ReferenceValue,
  numbered,
  nameOfSteps,
  UnknownValue,
  type Kind,
  type ComparedSource,
  type SourceFacts,
  type SourceObject,
  type PathStep,
} from "../object.js";
import { normalized } from "../normalize.js";

/** A resource as `pulumi stack export` shows it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Fields;
  readonly outputs?: Fields;
}

interface Held {
  readonly type: string;
  readonly urn: string;
  readonly number: string;
  readonly inputs: Fields;
  readonly outputs: Fields;
}

export function sourceOfState(resources: readonly StateResource[], facts: SourceFacts): ComparedSource {
  const held = resources.flatMap(({ type, urn, id, inputs, outputs }): Held[] => {
    const found = definitions.find((one) => type.endsWith(`workspace-automation:${one.type}`));
    if (found === undefined || id === undefined || inputs === undefined) return [];
    const number = decodeURIComponent(id.split("/").at(-1) ?? "");
    return [{ type: found.type, urn, number, inputs, outputs: outputs ?? {} }];
  });
  const reading = new Reading(held);
  const address = held.map(({ outputs }) => outputs["address"]).find((one) => typeof one === "string");
  const [baseUrl, workspace] = typeof address === "string" ? address.split("/workspaces/") : [];
  return {
    facts: { ...facts, ...(baseUrl ? { baseUrl } : {}), ...(workspace ? { workspace } : {}) },
    objects: reading.objects(),
    omitted: [],
    gaps: [],
    unordered: reading.unordered,
  };
}

class Reading {
  /** Objects whose lists have no known order. */
  readonly unordered = new Set<string>();
  private readonly byNumber: ReadonlyMap<string, Held>;
  private readonly known = new Map<Held, readonly PathStep[]>();

  constructor(private readonly held: readonly Held[]) {
    this.byNumber = new Map(held.map((one) => [`${one.type} ${one.number}`, one]));
  }

  objects(): SourceObject[] {
    const all = this.held.flatMap((one) => {
      const definition = kindOf(one);
      return definition === undefined ? [] : [{ one, own: this.object(one, definition) }];
    });
    const ranks = this.ranks();
    const rank = ({ one }: (typeof all)[number]) => ranks.get(`${one.type} ${one.number}`) ?? Infinity;
    this.noteUnordered(all.map(({ one, own }) => ({ own, ranked: ranks.has(`${one.type} ${one.number}`) })));
    // Without ranks, the objects keep their order.
    const sorted = all.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    return sorted.flatMap(({ one, own }) => [
      own,
      ...exclusiveObjects(own, this.values(one, own.definition)),
    ]);
  }

  private object(one: Held, definition: Kind): SourceObject {
    const steps = this.steps(one);
    const { htmlUrl, name } = one.outputs;
    const titled = Object.hasOwn(definition.outputs, "name") && typeof name === "string" && name !== "";
    return {
      definition,
      steps,
      args: normalized(definition, steps.at(-1)?.key ?? "", this.values(one, definition)),
      ...(this.isNumber(one, definition) ? { hiddenKey: true } : {}),
      ...(titled ? { title: name } : {}),
      number: one.number,
      ...(typeof htmlUrl === "string" ? { link: htmlUrl } : {}),
    };
  }

  private values({ inputs }: Held, { references }: Kind): Fields {
    const entries = Object.entries(inputs).map(([arg, value]) => {
      const known = isMasked(value) ? new UnknownValue("the state keeps it encrypted", "there", true) : value;
      const reference = references[arg];
      if (reference === undefined) return [arg, known];
      return [arg, mapReferences(reference, known, ({ to }, inner) => this.named(to, inner))];
    });
    return Object.fromEntries(entries) as Fields;
  }

  private named(to: string, value: unknown): unknown {
    const found = this.byNumber.get(`${to} ${String(value)}`);
    if (found !== undefined) return new ReferenceValue(to, this.steps(found).at(-1)?.key ?? "");
    if (typeof value === "number") return numbered(to, value);
    return typeof value === "string" ? new ReferenceValue(to, value) : value;
  }

  private steps(one: Held): readonly PathStep[] {
    const known = this.known.get(one);
    if (known !== undefined) return known;
    const kind = kindOf(one);
    if (kind === undefined) return [];
    const { section, keyedBy } = kind.document;
    const to = kind.references[keyedBy]?.to;
    const value = one.inputs[keyedBy] ?? one.number;
    const named = to === undefined ? value : this.named(to, value);
    const key = named instanceof ReferenceValue ? named.key : String(named);
    const steps = [...this.above(one, kind), { section, type: kind.type, key, ...(to ? { to } : {}) }];
    this.known.set(one, steps);
    return steps;
  }

  /** Whether it is named by the id of an object that the state does not contain. */
  private isNumber({ inputs }: Held, { references, document: { keyedBy } }: Kind): boolean {
    const to = references[keyedBy]?.to;
    const named = to === undefined ? undefined : this.named(to, inputs[keyedBy]);
    return named instanceof ReferenceValue && !named.known;
  }

  /** The path to the parent of an object: the innermost one that its arguments name. */
  private above({ inputs }: Held, { document }: Kind): readonly PathStep[] {
    const given = Object.entries(document.under).filter(([, arg]) => arg !== null && inputs[arg] != null);
    const [type, arg] = given.at(-1) ?? [];
    return type === undefined || typeof arg !== "string" ? [] : this.stepsTo(type, inputs[arg], inputs);
  }

  private stepsTo(type: string, value: unknown, inputs: Fields): readonly PathStep[] {
    const kind = definitions.find((one): one is Kind => one.type === type && one.document !== undefined);
    if (kind === undefined) return [];
    const { keyedBy, section, under } = kind.document;
    const found =
      this.byNumber.get(`${type} ${String(value)}`) ??
      this.held.find((one) => one.type === type && one.inputs[keyedBy] === value);
    if (found !== undefined) return this.steps(found);
    // It is managed elsewhere, so only its name is known.
    const [holder, arg] =
      Object.entries(under).find(([, name]) => name !== null && inputs[name] != null) ?? [];
    const above =
      holder === undefined || typeof arg !== "string" ? [] : this.stepsTo(holder, inputs[arg], inputs);
    return [...above, { section, type, key: String(value) }];
  }

  /** The position of each object in its list, according to the resource that owns the order. */
  private ranks(): Map<string, number> {
    const ranks = new Map<string, number>();
    for (const { type, document } of definitions) {
      const { order } = document ?? {};
      for (const one of this.held.filter(({ type: of }) => of === order?.type)) {
        const items = one.inputs[order?.items ?? ""];
        if (Array.isArray(items)) items.forEach((item, index) => ranks.set(`${type} ${String(item)}`, index));
      }
    }
    return ranks;
  }

  private noteUnordered(all: readonly { own: SourceObject; ranked: boolean }[]): void {
    const lists = new Map<string, boolean[]>();
    for (const { own, ranked } of all) {
      if (own.definition.document.form !== "list") continue;
      const holder = nameOfSteps(own.steps.slice(0, -1));
      lists.set(holder, [...(lists.get(holder) ?? []), ranked]);
    }
    for (const [holder, ranked] of lists)
      if (ranked.length > 1 && !ranked.every(Boolean)) this.unordered.add(holder);
  }
}

function kindOf({ type }: Held): Kind | undefined {
  return definitions.find(
    (one): one is Kind => one.type === type && one.document !== undefined && !one.ephemeral,
  );
}
