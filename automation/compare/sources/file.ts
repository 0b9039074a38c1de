/** Reads a workspace file as a source. */
import { pickDefined } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import type { DocumentKind } from "../../../resources/definition/placement.js";
import type { PropertyPath } from "../../../resources/definition/problems.js";
import {
  findPartAt,
  getValue,
  Interpolated,
  type LeafTree,
  listPlaceholdersIn,
  type Tree,
} from "../../../workspace-file/index.js";
import { listEntries } from "../../../workspace-file/load/entries.js";
import { locateInFile } from "../../../workspace-file/load/exclusive-sections.js";
import {
  type LoadedFile,
  readDeclarations,
  Ref,
  type ResourceDeclaration,
} from "../../../workspace-file/load/load.js";
import type { Port } from "../../port.js";
import {
  type ComparedSource,
  joinSteps,
  type SourceFacts,
  type SourceObject,
  UnknownValue,
} from "../compared-source.js";
import { SourceReader } from "./reader.js";
import type { FileSpec } from "./source-spec.js";

/** An output of another object. */
const LATER = new UnknownValue("it is known only after it has been applied", "there");

/** @throws {WorkspaceFileError} with all problems of the file */
export function readFileSource(
  { name, file, overlays }: FileSpec,
  allowPaths: readonly string[] | undefined,
  io: Port,
): ComparedSource {
  // Unset environment variables and the stack's configuration get mock values, marked as such.
  const declared = readDeclarations(file, { env: io.env, overlays, allowPaths, mock: true });
  const { workspace, connection, owns } = declared;
  const own = pickDefined({
    overlays: overlays.length === 0 ? undefined : overlays,
    connection,
    workspace,
    owns,
  });
  return buildSourceOfFile(declared, { name, kind: "file", file, ...own });
}

/** Converts declarations to the common form. */
export function buildSourceOfFile(
  { declarations, tree, locate }: LoadedFile,
  facts: SourceFacts,
): ComparedSource {
  const described = declarations
    .filter(({ definition }) => definition.document)
    .map((one) => ({
      ...one,
      definition: one.definition as DocumentKind,
      args: pickKnownArgs(one, tree),
      nameInFile: one.name,
      secrets: [...one.secrets, ...Object.keys(one.asWritten)],
      locate: (at: PropertyPath) => locate([...one.path, ...at], at.length === 0),
    }));
  const reader = new SourceReader(described);
  const paths = new Map(described.map(({ name, path }) => [joinSteps(reader.steps(name)), path]));
  const objects = described.flatMap((one) => {
    const number = one.args[one.definition.document.numberedBy ?? ""];
    const [own, ...members] = reader.objects(one) as [SourceObject, ...SourceObject[]];
    return [typeof number === "number" ? { ...own, number: String(number) } : own, ...members];
  });
  const external = listEntries(tree).filter((entry) => entry.external);
  return {
    facts,
    objects,
    omitted: external.map(({ definition, name }) => ({
      definition,
      steps: reader.steps(name),
      nameInFile: name,
      args: {},
    })),
    gaps: [],
    unordered: new Set(),
    placeFor: (steps) => {
      const above = paths.get(joinSteps(steps.slice(0, -1))) ?? [];
      return locate([...above, steps.at(-1)?.section ?? ""], true);
    },
  };
}

/** The arguments, in which mock values and outputs of other objects are unknown. */
function pickKnownArgs(declaration: ResourceDeclaration, tree: Tree): Fields {
  const known = (value: unknown, at: PropertyPath): unknown => {
    if (value instanceof Interpolated) return LATER;
    const part = findPart(declaration, tree, at);
    if (part?.kind === "leaf") return part.mock === true ? withoutValue(part) : value;
    if (Array.isArray(value)) return value.map((item, index) => known(item, [...at, index]));
    if (typeof value !== "object" || value === null || value instanceof Ref) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, known(inner, [...at, key])]));
  };
  const entries = Object.entries(declaration.args).map(([arg, value]) => [arg, known(value, [arg])]);
  return Object.fromEntries(entries) as Fields;
}

function findPart(
  { definition, path, args }: ResourceDeclaration,
  tree: Tree,
  at: PropertyPath,
): Tree | undefined {
  const entry = findPartAt(tree, path);
  if (entry?.kind === "leaf" && at[0] === definition.document?.scalar) return entry;
  const direct = findPartAt(tree, [...path, ...at]);
  const section = findPartAt(tree, [...path, ...at.slice(0, 1)]);
  if (direct !== undefined || section?.kind !== "map" || !Array.isArray(args[String(at[0])])) return direct;
  return findPartAt(tree, [...path, ...locateInFile({ [String(at[0])]: getValue(section) }, at)]);
}

function withoutValue(leaf: LeafTree): UnknownValue {
  const names = listPlaceholdersIn(leaf).map(({ whole }) => whole);
  return new UnknownValue(`${names.join(" and ")} has no value here`, "there");
}
