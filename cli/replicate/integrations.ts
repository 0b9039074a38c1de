/** Integrations that the file uses: what each is called in the target, and which of them are not there. */
import { positionAt, placeOf, type PropertyPath } from "../../schema/index.js";
import { isServiceError, type Integration } from "../../client/index.js";
import { mapReferences } from "../../provider/index.js";
import { stepsTo, type Step } from "../../sdk/nodejs/edit/index.js";
import type { Mapping, MappedSection } from "../mapping/file.js";
import type { MappingEntry, Missing, Use } from "./missing.js";
import type { Target, View } from "./target.js";

/** Kind of object that references name it by, and the argument for its identifier. */
const INTEGRATION = "integration";
const IDENTIFIER = "integrationIdentifier";

/** The integrations of the callers on both sides. */
export interface Sides {
  /** Names of the connections. */
  readonly from: string;
  readonly to: string;
  readonly source: () => Promise<readonly Integration[]>;
  readonly target: () => Promise<readonly Integration[]>;
}

interface Found extends Use {
  readonly steps: readonly Step[];
  readonly value: string | number;
  /** The target's overlay says it. */
  readonly own: boolean;
}

/** Writes other names into the overlay. @returns what has no counterpart */
export async function mapIntegrations(target: Target, mapping: Mapping, sides: Sides): Promise<Missing[]> {
  const view = target.now();
  const found = usesOf(view, target, (declaration) =>
    Object.entries(declaration.definition.references).flatMap(([arg, reference]) => {
      const values: { path: PropertyPath; value: unknown }[] = [];
      mapReferences(reference, declaration.args[arg], (inner, value, path) => {
        if (inner.to === INTEGRATION) values.push({ path: [arg, ...path], value });
        return value;
      });
      return values;
    }),
  );
  const missing = found.length === 0 ? [] : await new Mapped(target, mapping, sides).all(found);
  return [...missing, ...mapIdentifiers(view, target, mapping, sides)];
}

class Mapped {
  constructor(
    private readonly target: Target,
    private readonly mapping: Mapping,
    private readonly sides: Sides,
  ) {}

  async all(found: readonly Found[]): Promise<Missing[]> {
    const { to } = this.sides;
    let there: readonly Integration[];
    try {
      there = await this.sides.target();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const remedy = `log in with the scope INTEGRATION_INFO: workspacectl login -c ${to}`;
      return [
        { what: "integrations", why: `those of ${to} cannot be read: ${error.message}`, remedy, uses: found },
      ];
    }
    const missing: Missing[] = [];
    for (const uses of grouped(found)) {
      const [{ value, own }] = uses;
      const known = own || typeof value === "string" ? undefined : await this.sourceOf(value);
      const wanted = this.counterpart(value, own, known?.name);
      const fits = wanted === undefined ? [] : there.filter((one) => isIt(one, wanted));
      if (fits.length === 1 && wanted !== undefined) {
        if (wanted !== value) for (const { steps } of uses) this.target.overlay.say(steps, wanted);
      } else missing.push(await this.missing(uses, wanted, fits, there, known));
    }
    return missing;
  }

  /** What it is called in the target; undefined for a number that says nothing there. */
  private counterpart(
    value: string | number,
    own: boolean,
    name: string | undefined,
  ): string | number | undefined {
    const { integrations } = this.mapping;
    const mapped =
      integrations.get(String(value)) ?? (name === undefined ? undefined : integrations.get(name));
    return mapped ?? (own || typeof value === "string" ? value : name);
  }

  private async missing(
    uses: readonly [Found, ...Found[]],
    wanted: string | number | undefined,
    fits: readonly Integration[],
    there: readonly Integration[],
    known: Integration | undefined,
  ): Promise<Missing> {
    const [{ value, own }] = uses;
    const { from, to } = this.sides;
    const name = typeof value === "number" ? known?.name : value;
    const key = name ?? String(value);
    const number = typeof value === "number";
    const what = number
      ? `integration ${value}${name === undefined ? "" : ` ("${name}" in ${from})`}`
      : `integration "${value}"`;
    const mapped = this.mapping.integrations.has(key) || this.mapping.integrations.has(String(value));
    const suggestion = await this.suggestion(key, known, fits, there);
    if (fits.length > 1) {
      const numbers = fits.map(({ id, type }) => `${id}${type == null ? "" : ` (${type})`}`).join(", ");
      const remedy = `rename one of them in ${to}, or map it to a number: ${numbers}`;
      return { what, why: `${to} has ${fits.length} named "${wanted}"`, remedy, uses, mapping: suggestion };
    }
    if (mapped) {
      const place = this.mapping.placeOf(
        "integrations",
        this.mapping.integrations.has(key) ? key : String(value),
      );
      const said = `${place?.file}:${place?.line}:${place?.column} maps it to ${JSON.stringify(wanted)}`;
      return {
        what,
        why: `${said}, which ${to} has not`,
        remedy: `there ${listed(there)}: correct the mapping`,
        uses,
      };
    }
    const unknown = number && !own && name === undefined ? `, nor does ${from} show what it is called` : "";
    const why =
      own || !number || name !== undefined
        ? `${to} has none ${number && own ? "of this number" : "of that name"}`
        : `a number means nothing in ${to}${unknown}`;
    const remedy = own
      ? `there ${listed(there)}: correct it in the overlay`
      : `map it to another one, or connect it in ${to} (user profile, integrations)`;
    return { what, why, remedy, uses, ...(own ? {} : { mapping: suggestion }) };
  }

  /** The one of the same kind, if it is the only one. */
  private async suggestion(
    key: string,
    known: Integration | undefined,
    fits: readonly Integration[],
    there: readonly Integration[],
  ): Promise<MappingEntry> {
    const section: MappedSection = "integrations";
    if (fits.length > 1)
      return { section, key, to: undefined, comment: `one of ${fits.map(({ id }) => id).join(", ")}` };
    const all = await this.sides.source().catch(() => []);
    const type = (known ?? all.find(({ name }) => name === key))?.type;
    const alike = type == null ? [] : there.filter((one) => one.type === type);
    const [only] = alike.length === 1 ? alike : [];
    const comment = only
      ? `the only ${String(type)} there`
      : `there ${listed(alike.length > 1 ? alike : there)}`;
    return { section, key, to: only?.name, comment };
  }

  private async sourceOf(number: number): Promise<Integration | undefined> {
    const all = await this.sides.source().catch(() => []);
    return all.find(({ id }) => id === number);
  }
}

/** The service tells identifiers of no integration, so only the mapping can say that there is a counterpart. */
function mapIdentifiers(view: View, target: Target, mapping: Mapping, { to }: Sides): Missing[] {
  const found = usesOf(view, target, ({ args }) => [{ path: [IDENTIFIER], value: args[IDENTIFIER] }]);
  const missing: Missing[] = [];
  for (const uses of grouped(found)) {
    const [{ value, own }] = uses;
    const mapped = mapping.integrationIdentifiers.get(String(value));
    if (mapped === undefined && own) continue;
    if (mapped !== undefined) {
      if (mapped !== value) for (const { steps } of uses) target.overlay.say(steps, mapped);
      continue;
    }
    missing.push({
      what: `integration with the identifier "${value}"`,
      why: `the service does not tell identifiers, so nobody knows whether ${to} has it`,
      remedy: "map it to the identifier there; to itself, if it is the same",
      uses,
      mapping: {
        section: "integrationIdentifiers",
        key: String(value),
        to: undefined,
        comment: `its identifier in ${to}`,
      },
    });
  }
  return missing;
}

type Declaration = View["declared"]["declarations"][number];

function usesOf(
  { tree, declared }: View,
  target: Target,
  values: (declaration: Declaration) => readonly { path: PropertyPath; value: unknown }[],
): Found[] {
  return declared.declarations.flatMap((declaration) =>
    values(declaration).flatMap(({ path, value }): Found[] => {
      if (typeof value !== "string" && typeof value !== "number") return [];
      const { name } = declaration;
      const place = placeOf(positionAt(tree, [...declaration.path, ...path]));
      const steps = [...stepsTo(name), ...path.map(step)];
      return [{ name, place, steps, value, own: target.isOwn(place) }];
    }),
  );
}

const step = (part: string | number): Step => (typeof part === "number" ? { index: part } : { key: part });

/** The same value of the same side is one thing. */
function grouped(found: readonly Found[]): [Found, ...Found[]][] {
  const groups = new Map<string, [Found, ...Found[]]>();
  for (const one of found) {
    const key = JSON.stringify([one.value, one.own]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

const isIt = ({ id, name }: Integration, wanted: string | number) =>
  typeof wanted === "number" ? id === wanted : name === wanted;

const LISTED = 10;

function listed(all: readonly Integration[]): string {
  if (all.length === 0) return "is none";
  const names = all.slice(0, LISTED).map(({ name }) => name);
  const more = all.length > LISTED ? `, and ${all.length - LISTED} more` : "";
  return `${all.length === 1 ? "is" : "are"} ${names.join(", ")}${more}`;
}
