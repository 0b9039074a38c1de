/** Reads a workspace file as a source. */
import { definitions, mapReferences, type Fields } from "../../../../provider/index.js";
import { kindsUnder, WORKSPACE } from "../../../../provider/definition/placement.js";
import { unescapeKey } from "../../../../provider/definition/logical-name.js";
import type { PropertyPath } from "../../../../provider/definition/problems.js";
import {
  Interpolated,
  partAt,
  piecesOf,
  valueOf,
  type LeafTree,
  type Tree,
} from "../../../../workspace-file/index.js";
import { entriesOf } from "../../../../workspace-file/load/entries.js";
import { placeInFile } from "../../../../workspace-file/load/exclusive-sections.js";
import {
  readDeclarations,
  Ref,
  type ResourceDeclaration,
  type LoadedFile,
} from "../../../../workspace-file/load/index.js";
import { mapRefs } from "../../../../workspace-file/load/names.js";
import type { Io } from "../../../terminal/io.js";
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
import type { FileSpec } from "../specs.js";

/** An output of another object. */
const LATER = new UnknownValue("it is known only when it has been applied", "there");

/** @throws {WorkspaceFileError} with all problems of the file */
export function fileSource(
  { name, file, overlays }: FileSpec,
  allowPaths: readonly string[] | undefined,
  io: Io,
): ComparedSource {
  // Unset environment variables and the stack's configuration get mock values, marked as such.
  const declared = readDeclarations(file, { env: io.env, overlays, allowPaths, mock: true });
  const { workspace, connection } = declared;
  const facts = {
    name,
    kind: "file" as const,
    file,
    ...(overlays.length === 0 ? {} : { overlays }),
    ...(connection === undefined ? {} : { connection }),
    ...(workspace === undefined ? {} : { workspace }),
  };
  return sourceOfFile(declared, facts);
}

/** Converts declarations to the common form. */
export function sourceOfFile(declared: LoadedFile, facts: SourceFacts): ComparedSource {
  const reading = new Reading(declared);
  const { placeOf } = declared;
  return {
    facts,
    objects: reading.objects(),
    omitted: reading.external(),
    gaps: [],
    unordered: new Set(),
    placeFor: (steps) => {
      const above = reading.pathOf(nameOfSteps(steps.slice(0, -1)));
      return placeOf([...(above ?? []), steps.at(-1)?.section ?? ""], true);
    },
  };
}

class Reading {
  private readonly byName: ReadonlyMap<string, ResourceDeclaration>;
  private readonly known = new Map<string, readonly PathStep[]>();
  private readonly paths = new Map<string, PropertyPath>();

  constructor(private readonly declared: LoadedFile) {
    this.byName = new Map(declared.declarations.map((one) => [one.name, one]));
  }

  objects(): SourceObject[] {
    return this.declared.declarations
      .filter(({ definition }) => definition.document !== undefined)
      .flatMap((one) => this.object(one));
  }

  /** Objects that exist and are managed elsewhere. */
  external(): SourceObject[] {
    return entriesOf(this.declared.tree)
      .filter(({ external }) => external)
      .map(({ definition, name }) => ({ definition: definition as Kind, steps: this.steps(name), args: {} }));
  }

  /** Location of the object that is compared under this name. */
  pathOf(name: string): PropertyPath | undefined {
    return this.paths.get(name);
  }

  private object(declaration: ResourceDeclaration): SourceObject[] {
    const { name, path, secrets } = declaration;
    const definition = declaration.definition as Kind;
    const { placeOf } = this.declared;
    const steps = this.steps(name);
    this.paths.set(nameOfSteps(steps), path);
    const args = this.values(declaration);
    const { keyedBy, numberedBy = "" } = definition.document;
    const number = declaration.args[numberedBy];
    const own: SourceObject = {
      definition,
      steps,
      ...(typeof declaration.args[keyedBy] === "number" ? { hiddenKey: true } : {}),
      ...(typeof number === "number" ? { number: String(number) } : {}),
      args: normalized(definition, steps.at(-1)?.key ?? "", args, secrets),
      placeOf: (at) => placeOf([...path, ...at], at.length === 0),
    };
    return [own, ...exclusiveObjects(own, args)];
  }

  /** The path to an object, by the actual names of the objects on it. */
  private steps(name: string): readonly PathStep[] {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const parts = name.split("/");
    const above = parts.length > 2 ? this.steps(parts.slice(0, -2).join("/")) : [];
    const section = parts.at(-2) ?? "";
    const holder = above.at(-1)?.type ?? WORKSPACE;
    const kind = kindsUnder(definitions, holder).find(({ document }) => document.section === section);
    const entry = unescapeKey(parts.at(-1) ?? "");
    const declaration = this.byName.get(name);
    const to = kind?.references[kind.document.keyedBy]?.to;
    const key = (declaration && this.keyOf(declaration)) ?? entry;
    const steps = [...above, { section, type: kind?.type ?? section, key, ...(to ? { to } : {}) }];
    this.known.set(name, steps);
    return steps;
  }

  private keyOf({ definition, path, args }: ResourceDeclaration): string | undefined {
    const arg = definition.document?.keyedBy ?? "";
    const value = args[arg];
    if (value instanceof Ref) return this.keyOfRef(value);
    if (typeof value === "number") return `#${value}`;
    const written = partAt(this.declared.tree, [...path, arg]);
    return typeof value === "string" && !(written && isMock(written)) ? value : undefined;
  }

  private keyOfRef({ name }: Ref): string {
    return this.steps(name).at(-1)?.key ?? name;
  }

  /** Resolves references in arguments to names, and marks unknown values. */
  private values(declaration: ResourceDeclaration): Fields {
    const { definition, args } = declaration;
    const entries = Object.entries(args).map(([arg, value]) => {
      const reference = definition.references[arg];
      const known =
        reference === undefined
          ? mapRefs(value, (one) => (one instanceof Ref ? this.keyOfRef(one) : LATER))
          : mapReferences(reference, value, ({ to }, one) => this.named(to, one));
      return [arg, this.withoutMocks(declaration, known, [arg])];
    });
    return Object.fromEntries(entries) as Fields;
  }

  private named(to: string, value: unknown): unknown {
    if (value instanceof Ref) return new ReferenceValue(to, this.keyOfRef(value));
    if (value instanceof Interpolated) return LATER;
    if (typeof value === "number") return numbered(to, value);
    return typeof value === "string" ? new ReferenceValue(to, value) : value;
  }

  /** Mock values stand for what is known only where the file is applied. */
  private withoutMocks(declaration: ResourceDeclaration, value: unknown, at: PropertyPath): unknown {
    if (value instanceof UnknownValue) return value;
    const part = this.partOf(declaration, at);
    if (part?.kind === "leaf") return part.mock === true ? valueless(part) : value;
    if (Array.isArray(value))
      return value.map((item, index) => this.withoutMocks(declaration, item, [...at, index]));
    if (typeof value !== "object" || value === null || value instanceof ReferenceValue) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.withoutMocks(declaration, inner, [...at, key])]),
    );
  }

  private partOf({ definition, path, args }: ResourceDeclaration, at: PropertyPath): Tree | undefined {
    const { tree } = this.declared;
    const entry = partAt(tree, path);
    if (entry?.kind === "leaf" && at[0] === definition.document?.scalar) return entry;
    const direct = partAt(tree, [...path, ...at]);
    const section = partAt(tree, [...path, ...at.slice(0, 1)]);
    if (direct !== undefined || section?.kind !== "map" || !Array.isArray(args[String(at[0])])) return direct;
    return partAt(tree, [...path, ...placeInFile({ [String(at[0])]: valueOf(section) }, at)]);
  }
}

function valueless({ written = "" }: LeafTree): UnknownValue {
  const names = piecesOf(written).flatMap((piece) => (typeof piece === "string" ? [] : [piece.whole]));
  return new UnknownValue(`${names.join(" and ")} has no value here`, "there");
}

function isMock(part: Tree): boolean {
  return part.kind === "leaf" && part.mock === true;
}
