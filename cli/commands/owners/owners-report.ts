/** Builds the report of `owners` by the published schema. */
import { z } from "zod";
import {
  type ComparedSource,
  type Includes,
  joinSteps,
  type SourceObject,
} from "../../../automation/compare/compared-source.js";
import { object, place, reportParts } from "../../../automation/report/report-schemas.js";
import type { Gap } from "../../../provider/index.js";
import type { OwnedPattern, OwningFile } from "../../operations/file-owners.js";

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
