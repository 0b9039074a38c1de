/** The common form of everything that can be compared: the objects of a source, and which ones it can rule out. */
import {
  type Definition,
  type ExpectedName,
  type Fields,
  findDefinition,
  type Gap,
} from "../../provider/index.js";
import { escapeKey } from "../../resources/definition/logical-name.js";
import type { DocumentKind } from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import type { Location } from "../../workspace-file/index.js";
import type { CompareReport } from "./compare-report.js";

/** Represents another object in a value. */
export class ReferenceValue {
  /**
   * @param to resource type of the object, or the name that the reference's definition gives it
   * @param key key of the object
   * @param known false when only its id is known, which means nothing in another workspace
   * @param own key in its own source, where that may be meant as well
   */
  constructor(
    readonly to: string,
    readonly key: string,
    readonly known: boolean = true,
    readonly own?: string,
  ) {}
}

/** Represents an object of which only the id is known. */
export function createReference(to: string, number: number): ReferenceValue {
  return new ReferenceValue(to, `#${number}`, false);
}

/** Whether a value that a source does not know exists; `unsaid` leaves it to the service. */
type Presence = "there" | "needed" | "maybe" | "unsaid";

/** Represents a value that a source does not know. */
export class UnknownValue {
  constructor(
    readonly reason: string,
    readonly presence: Presence,
  ) {}
}

/** A step of the path from the workspace to an object. */
export interface PathStep {
  readonly section: string;
  readonly type: string;
  readonly key: string;
  /** Type of the object that the key names. */
  readonly to?: string;
}

/** An object of a source. */
export interface SourceObject {
  readonly definition: DocumentKind;
  readonly steps: readonly PathStep[];
  /** Logical name in the file, if the source is a file. */
  readonly nameInFile?: string;
  /** Arguments, which may contain references and unknown values. Empty values and the service's defaults are omitted. */
  readonly args: Fields;
  /** Names of arguments that must not be shown, also where the other source has them. */
  readonly secrets?: ReadonlySet<string>;
  /** Those of them that are secret only because of a text in them. */
  readonly partly?: ReadonlySet<string>;
  /** Paths of properties whose changes the source ignores. */
  readonly ignoreChanges?: readonly string[];
  /** The service hides the key. This is the name of a person or, without one, an id. */
  readonly hiddenKey?: boolean;
  /** Its further name at the service. */
  readonly title?: string;
  /** Its id at the service. */
  readonly number?: string;
  readonly link?: string;
  /** Location in the file, if the source is a file. */
  readonly locate?: (path: PropertyPath) => Location;
}

/** Facts about a source for the report. */
export type SourceFacts = Omit<CompareReport["left"], "objects">;

/** One of the two compared workspaces, read from a connection, a file or a stack. */
export interface ComparedSource {
  readonly facts: SourceFacts;
  /** Children follow their parents; lists keep their order. */
  readonly objects: readonly SourceObject[];
  /** Existing objects that are not compared: created by the service, or the caller's own. */
  readonly omitted: readonly SourceObject[];
  readonly gaps: readonly Gap[];
  /** Sections that are known completely, such as `projects/web/pipelines`; absent when all are. */
  readonly sections?: ReadonlySet<string>;
  /** Names of objects whose lists have no known order. */
  readonly unordered: ReadonlySet<string>;
  /** Finds out which of these may exist although no list shows them to the caller. */
  readonly hiddenOf?: (expected: readonly ExpectedName[]) => Promise<readonly Gap[]>;
  /** Location for a new object of this name, if the source is a file. */
  readonly placeFor?: (steps: readonly PathStep[]) => Location;
}

/** Logical name. */
export function joinSteps(steps: readonly PathStep[]): string {
  return steps.map(({ section, key }) => `${section}/${escapeKey(key)}`).join("/");
}

/** Whether an object is in the scope of the comparison. */
export type Includes = (object: { readonly definition: Definition; readonly name: string }) => boolean;

export class Coverage {
  /** By logical name. */
  readonly objects: ReadonlyMap<string, SourceObject>;
  /** Names of all existing objects, including those that are not compared. */
  private readonly there: ReadonlySet<string>;
  /** Sections with a person who cannot be identified. */
  private readonly strangersIn = new Set<string>();

  constructor(
    readonly side: ComparedSource,
    private readonly strange: (step: PathStep) => boolean,
    includes: Includes,
  ) {
    const named = side.objects.map((object) => [joinSteps(object.steps), object] as const);
    this.objects = new Map(named.filter(([name, { definition }]) => includes({ definition, name })));
    const all = [...side.objects, ...side.omitted];
    this.there = new Set(
      all.flatMap(({ steps }) => steps.map((_, index) => joinSteps(steps.slice(0, index + 1)))),
    );
    for (const object of all) if (this.isStrange(object)) this.strangersIn.add(getSection(object));
  }

  has(name: string): boolean {
    return this.there.has(name);
  }

  /** Explains why an object of this source could not be matched in the other. */
  doubtOf(object: SourceObject): string | undefined {
    const { hiddenKey, steps } = object;
    const hidden = hiddenKey === true && steps.at(-1)?.to === undefined;
    return hidden || this.isStrange(object)
      ? `${this.side.facts.name} does not identify this person`
      : undefined;
  }

  /** Explains why this source cannot rule an object out; `reported` when the unread part is reported separately. */
  doubtOfAbsence(name: string, object: SourceObject): string | undefined {
    const { gaps, sections, facts } = this.side;
    if (gaps.some((gap) => this.leavesOpen(gap, name, object))) return "reported";
    const section = getSection(object);
    if (sections !== undefined && !sections.has(section))
      return `the service does not list every ${object.definition.noun} in ${facts.name}`;
    if (this.strangersIn.has(section)) return `it may exist: ${facts.name} does not identify everybody`;
    return undefined;
  }

  /** Whether an unread part concerns an object: the object, its list, or the list of an ancestor that no list shows. */
  private leavesOpen({ type, name: within }: Gap, name: string, { steps }: SourceObject): boolean {
    if (within === name) return true;
    if (within !== undefined && !name.startsWith(`${within}/`)) return false;
    const depth = within === undefined ? 0 : within.split("/").length / 2;
    if (steps[depth]?.section !== findDefinition(type)?.document?.section) return false;
    // The rest of a list may be hidden while an ancestor in it is shown with all that it contains.
    return !this.has(joinSteps(steps.slice(0, depth + 1)));
  }

  private isStrange({ steps }: SourceObject): boolean {
    return steps.some(this.strange);
  }
}

/** The section that contains an object, with the name of its parent. */
function getSection({ steps }: SourceObject): string {
  const parent = joinSteps(steps.slice(0, -1));
  return `${parent === "" ? "" : `${parent}/`}${steps.at(-1)?.section ?? ""}`;
}
