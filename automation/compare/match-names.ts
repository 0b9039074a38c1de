/** Matches the names of two sources: applies the mapping file, and identifies people whose addresses a source hides. */
import { mapDeep } from "../../diff/values.js";
import { canonicalize, type Fields, findDefinition, getSpelling } from "../../provider/index.js";
import {
  type ComparedSource,
  type PathStep,
  ReferenceValue,
  type SourceFacts,
  type SourceObject,
} from "./compared-source.js";
import { findMapped, type Mapping } from "./mapping-file.js";

/** Returns the new name of an object; undefined where it keeps its own. */
type MappedName = (
  to: string,
  key: string,
) => { readonly key: string; readonly known: boolean; readonly own?: string | undefined } | undefined;

function mapNames(side: ComparedSource, rename: MappedName): ComparedSource {
  const reference = (value: unknown) => {
    const found = value instanceof ReferenceValue ? rename(value.to, value.key) : undefined;
    return found
      ? new ReferenceValue((value as ReferenceValue).to, found.key, found.known, found.own)
      : value;
  };
  const object = (one: SourceObject): SourceObject => ({
    ...one,
    steps: one.steps.map((step) => ({
      ...step,
      key: rename(step.to ?? step.type, step.key)?.key ?? step.key,
    })),
    args: mapDeep(one.args, reference) as Fields,
  });
  return { ...side, objects: side.objects.map(object), omitted: side.omitted.map(object) };
}

/**
 * Applies the mapping file to the left source. Within one workspace, names are the same. Where that is unknown, because a file
 * need not name its workspace, an object may have either name.
 */
export function withMapping(left: ComparedSource, right: ComparedSource, mapping: Mapping): ComparedSource {
  const one = areOne(left.facts, right.facts);
  if (one === true) return left;
  const { integrationIdentifiers } = mapping;
  const own = (key: string) => (one === undefined ? { own: key } : {});
  const renamed = mapNames(left, (to, key) => {
    const found = to === "integration" ? findMapped(mapping, key.replace(/^#/, "")) : undefined;
    if (found === undefined) return undefined;
    return { key: typeof found === "number" ? `#${found}` : found, known: true, ...own(key) };
  });
  const objects = renamed.objects.map((object) => {
    const { integrationIdentifier: identifier } = object.args;
    const other = typeof identifier === "string" ? integrationIdentifiers.get(identifier) : undefined;
    if (typeof identifier !== "string" || other === undefined) return object;
    const named = new ReferenceValue("integration", other, true, own(identifier).own);
    return { ...object, args: { ...object.args, integrationIdentifier: named } };
  });
  return { ...renamed, objects };
}

export interface Aligned {
  readonly left: ComparedSource;
  readonly right: ComparedSource;
  /** Whether the step names somebody who cannot be matched in the other source. */
  readonly strange: (step: PathStep) => boolean;
}

/** By type and name in this source: the name in the comparison, and whether the person is identified. */
type Renames = ReadonlyMap<string, { readonly key: string; readonly known: boolean }>;

/** Matches people by a name that both sources show and only one person has; within one workspace by id. */
export function alignSources(left: ComparedSource, right: ComparedSource): Aligned {
  const [ofLeft, ofRight] = [collectRenames(left, right, "left"), collectRenames(right, left, "right")];
  const strangers = new Set<string>();
  for (const renames of [ofLeft, ofRight])
    for (const [id, { key, known }] of renames)
      if (!known) strangers.add(buildObjectId(id.split(" ")[0] ?? "", key));
  const aligned = mapNames(left, (to, key) => ofLeft.get(buildObjectId(to, key)));
  return {
    left: aligned,
    right: withSpellingOf(
      aligned,
      mapNames(right, (to, key) => ofRight.get(buildObjectId(to, key))),
    ),
    strange: ({ type, to, key }) => strangers.has(buildObjectId(to ?? type, key)),
  };
}

/** The source with the names as the other one spells them. */
function withSpellingOf(other: ComparedSource, side: ComparedSource): ComparedSource {
  const steps = listAll(other).flatMap((one) => one.steps);
  const exact = new Set(steps.map((step) => buildObjectId(step.to ?? step.type, step.key)));
  const spelled = new Map(steps.map((step) => [canonicalizeId(step.to ?? step.type, step.key), step.key]));
  return mapNames(side, (to, key) => {
    const found = exact.has(buildObjectId(to, key)) ? undefined : spelled.get(canonicalizeId(to, key));
    return found === undefined ? undefined : { key: found, known: true };
  });
}

function canonicalizeId(type: string, key: string): string {
  const definition = findDefinition(type);
  const spelling = definition && getSpelling(definition, definition.document?.keyedBy ?? "");
  return buildObjectId(type, canonicalize(spelling, key));
}

function collectRenames(side: ComparedSource, other: ComparedSource, on: "left" | "right"): Renames {
  const renames = new Map<string, { key: string; known: boolean }>();
  for (const object of listAll(side).filter(({ hiddenKey }) => hiddenKey === true)) {
    const { type, to, key } = getLastStep(object);
    const id = buildObjectId(to ?? type, key);
    // A membership is hidden together with its person, who has an entry of their own.
    if (to !== undefined && renames.has(id)) continue;
    const number = to === undefined ? object.number : key.replace(/^#/, "");
    const found = match({ type: to ?? type, number, title: object.title }, side, other);
    renames.set(
      id,
      found === undefined ? { key: `${key} on the ${on}`, known: false } : { key: found, known: true },
    );
  }
  return renames;
}

interface Hidden {
  readonly type: string;
  readonly number: string | undefined;
  readonly title: string | undefined;
}

/** Finds the key of the same person in the other source; or a common one where it is hidden there too. */
function match(
  { type, number, title }: Hidden,
  side: ComparedSource,
  other: ComparedSource,
): string | undefined {
  const alike = (of: ComparedSource, is: (one: SourceObject) => boolean) =>
    listAll(of).filter((one) => one.definition.type === type && is(one));
  const isIt = (one: SourceObject) => one.number !== undefined && one.number === number;
  const known = (one: SourceObject) => one.hiddenKey !== true;
  // A membership by id may belong to a person whom this source identifies.
  const own = alike(side, isIt).find(known);
  if (own !== undefined) return getLastStep(own).key;
  if (areOne(side.facts, other.facts) === true) {
    // Within one workspace, an id identifies a person.
    const all = [...alike(side, isIt), ...alike(other, isIt)];
    const found = all.find(known) ?? all[0];
    if (found !== undefined) return getLastStep(found).key;
  }
  if (title === undefined) return undefined;
  const [only, second] = alike(other, (one) => one.title === title);
  if (only === undefined || second !== undefined) return undefined;
  if (alike(side, (one) => one.title === title).length !== 1) return undefined;
  return known(only) ? getLastStep(only).key : title;
}

const listAll = ({ objects, omitted }: ComparedSource) => [...objects, ...omitted];
const buildObjectId = (type: string, key: string) => `${type} ${key}`;

function getLastStep({ steps }: SourceObject): PathStep {
  return steps.at(-1) as PathStep;
}

/** @returns undefined when it is unknown, because a file need not name its workspace */
function areOne(one: SourceFacts, other: SourceFacts): boolean | undefined {
  if (areDifferent(one.workspace, other.workspace) || areDifferent(one.baseUrl, other.baseUrl)) return false;
  if (one.baseUrl !== undefined && other.baseUrl !== undefined) return one.workspace === other.workspace;
  // A file names the connection through which it is applied.
  if (one.connection === undefined || other.connection === undefined) return undefined;
  return one.connection === other.connection;
}

function areDifferent(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
