/** Maps the integrations that the file uses to those of the target, wherever it uses them. */
import { type Integration, isServiceError } from "../../client/index.js";
import { findNamed, mapReferences } from "../../provider/index.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { integrationReference } from "../../resources/definition/references.js";
import { formatFirst } from "../../text/lists.js";
import { locateSteps, type LocationStep } from "../../workspace-file/edit/edit.js";
import { getLocation, getPositionAt } from "../../workspace-file/index.js";
import { findMapped, findMappedName, type Mapping } from "../compare/mapping-file.js";
import { AutomationError } from "../errors.js";
import type { MappingEntry, MissingPrerequisite, Use } from "./missing-in-target.js";
import type { ReplicationTarget, View } from "./target-document.js";

/** The target type of references to integrations. */
const INTEGRATION = "integration";

/** Writes mapped names into the overlay. @returns integrations without a counterpart */
export async function mapIntegrations(
  target: ReplicationTarget,
  mapping: Mapping,
  sides: IntegrationSources,
): Promise<MissingPrerequisite[]> {
  const found = findUses(target.now(), target, ({ definition, args }) =>
    Object.entries(definition.references).flatMap(([arg, reference]) => {
      const values: { path: PropertyPath; value: unknown }[] = [];
      mapReferences(reference, args[arg], (inner, value, path) => {
        if (inner.to === INTEGRATION) values.push({ path: [arg, ...path], value });
        return value;
      });
      return values;
    }),
  );
  if (found.length === 0) return [];
  let there: readonly Integration[];
  try {
    there = await sides.target();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    const remedy = `log in with the scope INTEGRATION_INFO: workspacectl login -c ${sides.to}`;
    const why = `those of ${sides.to} cannot be read: ${error.message}`;
    return [{ what: "integrations", why, remedy, uses: found.flat() }];
  }
  const explaining = new Explaining(mapping, sides, there);
  const missing: MissingPrerequisite[] = [];
  for (const uses of found) {
    const [{ value }] = uses;
    const match = await matchIntegrations(uses, mapping, sides, there);
    if (match.fits.length !== 1 || match.wanted === undefined) missing.push(await explaining.missing(match));
    else if (match.wanted !== value) overrideUses(target, uses, match.wanted);
  }
  return missing;
}

/** Finds the integrations in the target that have the mapped name. */
async function matchIntegrations(
  uses: Uses,
  mapping: Mapping,
  { source }: IntegrationSources,
  there: readonly Integration[],
): Promise<Unmatched> {
  const [{ value, own }] = uses;
  const as = (wanted: string | number | undefined, known?: Integration) => ({
    uses,
    wanted,
    known,
    fits: typeof wanted === "number" ? there.filter(({ id }) => id === wanted) : findByName(there, wanted),
  });
  // A value in the overlay is meant for the target. If it is not there, the mapping may know more.
  const mapped = findMapped(mapping, String(value));
  if (own) return as(value).fits.length > 0 || mapped === undefined ? as(value) : as(mapped);
  if (typeof value === "string") return as(mapped ?? value);
  // The id of the source is meaningless in the target, but its name may exist there.
  const known = (await source().catch(() => [])).find(({ id }) => id === value);
  return as(mapped ?? (known && (findMapped(mapping, known.name) ?? known.name)), known);
}

function findByName(all: readonly Integration[], wanted: unknown): Integration[] {
  return findNamed(all, integrationReference.spelling, wanted, ({ name }) => name);
}

/** The integrations of both users. */
interface IntegrationSources {
  /** Names of the connections. */
  readonly from: string;
  readonly to: string;
  readonly source: () => Promise<readonly Integration[]>;
  readonly target: () => Promise<readonly Integration[]>;
}

interface Unmatched {
  readonly uses: Uses;
  /** Its name in the target; undefined for an id whose name is not known. */
  readonly wanted: string | number | undefined;
  /** The integration with this id in the source. */
  readonly known: Integration | undefined;
  /** All integrations in the target with the wanted name. */
  readonly fits: readonly Integration[];
}

class Explaining {
  constructor(
    private readonly mapping: Mapping,
    private readonly sides: Pick<IntegrationSources, "from" | "to" | "source">,
    private readonly there: readonly Integration[],
  ) {}

  async missing(unmatched: Unmatched): Promise<MissingPrerequisite> {
    const { uses, wanted, fits, known } = unmatched;
    const [{ value, own }] = uses;
    const { from, to } = this.sides;
    const name = typeof value === "number" ? known?.name : value;
    const inSource = typeof value === "number" && name !== undefined ? ` ("${name}" in ${from})` : "";
    const what = `integration ${JSON.stringify(value)}${inSource}`;
    const key = name ?? String(value);
    if (fits.length > 1) {
      const numbers = fits.map(({ id, type }) => `${id}${type == null ? "" : ` (${type})`}`).join(", ");
      const remedy = `rename one of them in ${to}, or map it to a number: ${numbers}`;
      const comment = `one of ${fits.map(({ id }) => id).join(", ")}`;
      const mapping = { section: "integrations" as const, key, to: undefined, comment };
      return { what, why: `${to} has ${fits.length} named "${wanted}"`, remedy, uses, mapping };
    }
    const entry = findMappedName(this.mapping, key) ?? findMappedName(this.mapping, String(value));
    if (entry !== undefined) {
      const place = this.mapping.locate("integrations", entry);
      const why = `${place?.file}:${place?.line}:${place?.column} maps it to ${JSON.stringify(wanted)}, which does not exist in ${to}`;
      return { what, why, remedy: `there ${formatIntegrations(this.there)}: correct the mapping`, uses };
    }
    if (own) {
      const why = `${to} has none of that ${typeof value === "number" ? "number" : "name"}`;
      return {
        what,
        why,
        remedy: `there ${formatIntegrations(this.there)}: correct it in the overlay`,
        uses,
      };
    }
    const why =
      name === undefined
        ? `an id of ${from} means nothing in ${to}, and ${from} does not show the name`
        : `${to} has none with that name`;
    const remedy = `map it to another one, or connect it in ${to} (user profile, integrations)`;
    return { what, why, remedy, uses, mapping: await this.suggestion(key, known) };
  }

  /** Suggests the only integration of the same type. */
  private async suggestion(key: string, known: Integration | undefined): Promise<MappingEntry> {
    const all = await this.sides.source().catch(() => []);
    const type = (known ?? findByName(all, key)[0])?.type;
    const alike = type == null ? [] : this.there.filter((one) => one.type === type);
    const [only] = alike.length === 1 ? alike : [];
    const comment = only
      ? `the only ${String(type)} there`
      : `there ${formatIntegrations(alike.length > 1 ? alike : this.there)}`;
    return { section: "integrations", key, to: only?.name, comment };
  }
}

const LISTED = 10;

function formatIntegrations(all: readonly Integration[]): string {
  if (all.length === 0) return "is none";
  const names = all.map(({ name }) => name);
  return `${all.length === 1 ? "is" : "are"} ${formatFirst(names, LISTED)}`;
}

interface LocatedUse extends Use {
  readonly steps: readonly LocationStep[];
  readonly value: string | number;
  /** The overlay contains the value. */
  readonly own: boolean;
}

/** Uses of the same value, all in the overlay or all in the common file. */
type Uses = readonly [LocatedUse, ...LocatedUse[]];

type Declaration = View["declared"]["declarations"][number];

/** @param values selects values of a declaration, with their paths */
export function findUses(
  { tree, declared }: View,
  target: ReplicationTarget,
  values: (declaration: Declaration) => readonly { path: PropertyPath; value: unknown }[],
): Uses[] {
  const groups = new Map<string, [LocatedUse, ...LocatedUse[]]>();
  for (const declaration of declared.declarations)
    for (const { path, value } of values(declaration)) {
      if (typeof value !== "string" && typeof value !== "number") continue;
      const { name } = declaration;
      const place = getLocation(getPositionAt(tree, [...declaration.path, ...path]));
      const steps = [...locateSteps(name), ...path.map(createUseStep)];
      const found = { name, place, steps, value, own: target.isOwn(place) };
      const key = JSON.stringify([value, found.own]);
      const group = groups.get(key);
      if (group) group.push(found);
      else groups.set(key, [found]);
    }
  return [...groups.values()];
}

/** Overrides a value in the overlay, wherever it is used. @throws {AutomationError} when the overlay cannot be edited there */
export function overrideUses(target: ReplicationTarget, uses: Uses, value: string | number): void {
  for (const { name, steps } of uses) {
    if (target.overlay.say(steps, value)) continue;
    throw new AutomationError(
      `${target.overlayFile} refers to ${name} in a way that this command cannot rewrite (a placeholder, an alias or a template)`,
      `write ${JSON.stringify(value)} there yourself`,
    );
  }
}

const createUseStep = (part: string | number): LocationStep =>
  typeof part === "number" ? { index: part } : { key: part };
