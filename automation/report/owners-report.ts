/** Finds which file owns what in a workspace, refuses overlaps, and builds the report by the published schema. */
import { z } from "zod";
import type { Gap } from "../../provider/index.js";
import type { Diagnostic, Location } from "../../workspace-file/index.js";
import { type LoadedFile, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { findOwnedByBoth, isOwned } from "../../workspace-file/load/owns.js";
import { mapToNamesInFile } from "../compare/compare-sources.js";
import {
  type ComparedSource,
  type Includes,
  joinSteps,
  type SourceObject,
} from "../compare/compared-source.js";
import { buildSourceOfFile } from "../compare/sources/file.js";
import { keepOutermost } from "../policy/guards/deletes.js";
import { object, place, reportParts } from "./report-schemas.js";

interface OwnedPattern {
  readonly pattern: string;
  readonly place: Location;
}

interface OwningFile {
  readonly file: string;
  /** Absent when the file owns what it declares. */
  readonly patterns?: readonly OwnedPattern[];
  /** Objects that the file declares. */
  readonly declared: ReadonlyMap<string, SourceObject>;
  /** Objects to which it only refers. */
  readonly external: readonly SourceObject[];
  readonly owns: (name: string) => boolean;
  /** Returns the first pattern that matches an object. */
  readonly patternFor: (name: string) => OwnedPattern | undefined;
}

export interface NamedFile {
  readonly file: string;
  readonly loaded: LoadedFile;
}

/**
 * Returns what each file owns.
 * @throws {WorkspaceFileError} with both places of each overlap
 */
export function refuseOverlaps(named: readonly NamedFile[]): OwningFile[] {
  const files = named.map(toOwningFile);
  const found = files.flatMap((later, index) =>
    files.slice(0, index).flatMap((earlier) => listOverlaps(earlier, later)),
  );
  if (found.length === 0) return files;
  const sources = new Map(named.flatMap(({ loaded }) => [...loaded.sources]));
  const names = files.map(({ file }) => file).join(", ");
  throw new WorkspaceFileError(names, found, (file) => sources.get(file)?.text);
}

function toOwningFile({ file, loaded }: NamedFile): OwningFile {
  const source = buildSourceOfFile(loaded, { name: file, kind: "file", file });
  const declared = new Map(source.objects.map((object) => [joinSteps(object.steps), object]));
  const inFile = mapToNamesInFile(source);
  const patterns = loaded.owns?.map((pattern, index) => ({
    pattern,
    place: loaded.locate(["owns", index]),
  }));
  const patternFor = (name: string) => patterns?.find(({ pattern }) => isOwned([pattern], inFile(name)));
  return {
    file,
    declared,
    external: source.omitted,
    patternFor,
    ...(patterns === undefined ? {} : { patterns }),
    owns: (name) => declared.has(name) || patternFor(name) !== undefined,
  };
}

/** Returns where two files own the same object: by their patterns, or by what they declare. */
function listOverlaps(one: OwningFile, other: OwningFile): Diagnostic[] {
  const { patterns: ours = [] } = one;
  const { patterns: theirs = [] } = other;
  const alike = theirs.flatMap(({ pattern, place }) =>
    ours.flatMap((own): Diagnostic[] => {
      const name = findOwnedByBoth(own.pattern, pattern);
      if (name === undefined) return [];
      const both = own.pattern === pattern ? "" : `, and both match names such as ${name}`;
      const message = `"${pattern}" overlaps with "${own.pattern}" in ${formatPlace(own.place)}${both}: an object has one owner, so narrow one of them`;
      return [{ place, code: "owns", message }];
    }),
  );
  if (alike.length > 0) return alike;
  const theirNames = [...other.declared.keys()].filter((name) => one.owns(name));
  const ourNames = [...one.declared.keys()].filter((name) => other.owns(name) && !theirNames.includes(name));
  return [...findClaimed(theirNames, other, one), ...findClaimed(ourNames, one, other)];
}

/** Reports the outermost of the objects that one file declares and another one owns. */
function findClaimed(names: readonly string[], of: OwningFile, owner: OwningFile): Diagnostic[] {
  return keepOutermost(names).flatMap(({ name }): Diagnostic[] => {
    const place = findPlace(name, of);
    const pattern = owner.patternFor(name);
    const theirs = findPlace(name, owner) ?? pattern?.place;
    if (place === undefined || theirs === undefined) return [];
    const how = pattern === undefined ? "declares it" : `owns it ("${pattern.pattern}")`;
    const message = `${name} has another owner: ${formatPlace(theirs)} ${how}. Write external: true here, or remove it from one of the files`;
    return [{ place, code: "owns", message }];
  });
}

const findPlace = (name: string, { declared }: OwningFile) => declared.get(name)?.locate?.([]);
const formatPlace = ({ file, line }: Location) => `${file}:${line}`;

const objects = z.array(z.strictObject(object));

export const ownersReportSchema = z
  .strictObject({
    ...reportParts(1),
    workspace: z.string().optional().describe("Domain of the workspace, if it is known."),
    baseUrl: z.string().optional().describe("Address of the service, if the workspace was read."),
    live: z.boolean().describe("Whether the workspace was read, and not the files alone."),
    files: z.array(
      z.strictObject({
        file: z.string(),
        owns: z
          .array(z.strictObject({ pattern: z.string(), place }))
          .optional()
          .describe("Patterns of what it owns. Absent when it owns what it declares."),
        objects: z.array(
          z.strictObject({
            ...object,
            declared: z.boolean().describe("The file declares it."),
            exists: z.boolean().optional().describe("It is in the workspace. Absent when that is not known."),
            pattern: z.string().optional().describe("The pattern that owns it."),
          }),
        ),
      }),
    ),
    unowned: objects.describe("What nobody owns: of the workspace, or of what the files refer to."),
    notIdentified: objects.describe("People whom the service does not identify, and their memberships."),
    incomplete: z
      .array(
        z.strictObject({
          type: object.type,
          name: z.string().optional().describe("The object, or its parent; absent for the workspace."),
          only: z
            .string()
            .optional()
            .describe("The only objects that are affected, if `name` is their parent."),
          reason: z.string().describe("Why."),
        }),
      )
      .describe("What could not be read."),
  })
  .meta({ title: "Owners report", description: "What `workspacectl owners --json` prints." });

export interface OwnableObject {
  readonly type: string;
  /** Logical name, with the names that objects have in the service. */
  readonly name: string;
}

export interface OwnedObject extends OwnableObject {
  readonly declared: boolean;
  /** Absent when the workspace was not read, or does not show who somebody is. */
  readonly exists?: boolean;
  readonly pattern?: string;
}

export interface OwnersReport {
  readonly workspace?: string;
  readonly baseUrl?: string;
  /** Whether the workspace was read, and not the files alone. */
  readonly live: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly owns?: readonly OwnedPattern[];
    readonly objects: readonly OwnedObject[];
  }[];
  /** What nobody owns: of the workspace, or of what the files refer to. */
  readonly unowned: readonly OwnableObject[];
  /** People whom the service does not identify, and their memberships, which a file may declare. */
  readonly notIdentified: readonly OwnableObject[];
  readonly incomplete: readonly Gap[];
}

/** @param live the workspace, if it was read */
export function createOwnersReport(
  files: readonly OwningFile[],
  live: ComparedSource | undefined,
  workspace: string | undefined,
  includes: Includes,
): OwnersReport {
  const inScope = (object: SourceObject) =>
    includes({ definition: object.definition, name: joinSteps(object.steps) });
  const there = new Map((live?.objects ?? []).map((object) => [joinSteps(object.steps), object]));
  const omitted = new Set((live?.omitted ?? []).map(({ steps }) => joinSteps(steps)));
  const isHidden = findHidden([...there.values()]);
  const hidden = [...there.values()].filter(isHidden);
  const hiddenSections = new Set(hidden.map(getSection));

  const owned = ({ file, patterns, declared, owns, patternFor }: OwningFile) => {
    const all = new Map([...there, ...declared]);
    // One that is not identified may be a declared one.
    const objects = [...all].filter(
      ([name, object]) => owns(name) && inScope(object) && (declared.has(name) || !isHidden(object)),
    );
    return {
      file,
      ...(patterns === undefined ? {} : { owns: patterns }),
      objects: objects.map(([name, object]): OwnedObject => {
        const pattern = patternFor(name)?.pattern;
        const exists = there.has(name) || omitted.has(name);
        const known = live !== undefined && (exists || !hiddenSections.has(getSection(object)));
        return {
          ...toOwnableObject([name, object]),
          declared: declared.has(name),
          ...(known ? { exists } : {}),
          ...(pattern === undefined ? {} : { pattern }),
        };
      }),
    };
  };
  const external = files.flatMap((file) => file.external).map((one) => [joinSteps(one.steps), one] as const);
  const candidates = live === undefined ? new Map(external) : there;
  const isDeclared = (name: string) => files.some(({ declared }) => declared.has(name));
  const unowned = [...candidates].filter(
    ([name, one]) => inScope(one) && !isHidden(one) && !files.some(({ owns }) => owns(name)),
  );
  const notIdentified = [...there].filter(
    ([name, one]) => inScope(one) && isHidden(one) && !isDeclared(name),
  );
  return {
    ...(live === undefined
      ? { ...(workspace === undefined ? {} : { workspace }), live: false }
      : { workspace: live.facts.workspace ?? "", baseUrl: live.facts.baseUrl ?? "", live: true }),
    files: files.map(owned),
    unowned: unowned.map(toOwnableObject),
    notIdentified: notIdentified.map(toOwnableObject),
    incomplete: live?.gaps ?? [],
  };
}

/** Returns whether the service does not identify a person, or the person of a membership. */
function findHidden(objects: readonly SourceObject[]): (object: SourceObject) => boolean {
  const keyOf = (type: string | undefined, key: string | undefined) => `${type} ${key}`;
  const hidden = objects.filter(({ hiddenKey }) => hiddenKey === true);
  const people = new Set(hidden.map(({ definition, steps }) => keyOf(definition.type, steps.at(-1)?.key)));
  return ({ hiddenKey, steps }) =>
    hiddenKey === true || people.has(keyOf(steps.at(-1)?.to, steps.at(-1)?.key));
}

function toOwnableObject([name, { definition }]: readonly [string, SourceObject]): OwnableObject {
  return { type: definition.type, name };
}

function getSection({ steps }: SourceObject): string {
  return `${joinSteps(steps.slice(0, -1))}/${steps.at(-1)?.section}`;
}
