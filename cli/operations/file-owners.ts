/** Finds which workspace file owns what, and refuses objects with two owners. */
import { mapToNamesInFile } from "../../automation/compare/compare-sources.js";
import { joinSteps, type SourceObject } from "../../automation/compare/compared-source.js";
import { buildSourceOfFile } from "../../automation/compare/sources/file.js";
import { keepOutermost } from "../../automation/policy/guards/deletes.js";
import type { Diagnostic, Location } from "../../workspace-file/index.js";
import { type LoadedFile, WorkspaceFileError } from "../../workspace-file/load/load.js";
import { findOwnedByBoth, isOwned } from "../../workspace-file/load/owns.js";

export interface OwnedPattern {
  readonly pattern: string;
  readonly place: Location;
}

export interface OwningFile {
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
