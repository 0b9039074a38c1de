/** Determines which objects a source contains, and which it can rule out. */
import { findDefinition, type Definition, type Gap } from "../../../provider/index.js";
import { joinSteps, type ComparedSource, type SourceObject, type PathStep } from "./compared-source.js";

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
    if (gaps.some((gap) => covers(gap, name, object))) return "reported";
    const section = getSection(object);
    if (sections !== undefined && !sections.has(section))
      return `the service does not list every ${object.definition.noun} in ${facts.name}`;
    if (this.strangersIn.has(section)) return `it may exist: ${facts.name} does not identify everybody`;
    return undefined;
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

/** Whether an unread part concerns an object: the object, its list or an ancestor. */
function covers({ type, name: within }: Gap, name: string, { steps }: SourceObject): boolean {
  if (within === name) return true;
  if (within !== undefined && !name.startsWith(`${within}/`)) return false;
  const section = findDefinition(type)?.document?.section;
  const depth = within === undefined ? 0 : within.split("/").length / 2;
  return steps[depth]?.section === section;
}
