/** What a side knows: which objects it has, and of which it can say that they are not there. */
import { definitions, type Definition, type Gap } from "../../../provider/index.js";
import { nameOf, type Side, type SideObject, type Step } from "./object.js";

/** Whether an object is in the scope of the comparison. */
export type Includes = (object: { readonly definition: Definition; readonly name: string }) => boolean;

export class Knowledge {
  /** By logical name. */
  readonly objects: ReadonlyMap<string, SideObject>;
  /** Names of all that is there, also of what is not compared. */
  private readonly there: ReadonlySet<string>;
  /** Sections in which somebody is whom nobody can tell from others. */
  private readonly strangersIn = new Set<string>();

  constructor(
    readonly side: Side,
    private readonly strange: (step: Step) => boolean,
    includes: Includes,
  ) {
    const named = side.objects.map((object) => [nameOf(object.steps), object] as const);
    this.objects = new Map(named.filter(([name, { definition }]) => includes({ definition, name })));
    const all = [...side.objects, ...side.omitted];
    this.there = new Set(
      all.flatMap(({ steps }) => steps.map((_, index) => nameOf(steps.slice(0, index + 1)))),
    );
    for (const object of all) if (this.isStrange(object)) this.strangersIn.add(sectionOf(object));
  }

  has(name: string): boolean {
    return this.there.has(name);
  }

  /** Why an object of this side could not be found on the other. */
  doubtOf(object: SideObject): string | undefined {
    const { hiddenKey, steps } = object;
    const hidden = hiddenKey === true && steps.at(-1)?.to === undefined;
    return hidden || this.isStrange(object) ? `${this.side.facts.name} does not tell who it is` : undefined;
  }

  /** Why this side cannot tell that it does not have an object; `untold` when what it could not read is told by itself. */
  doubtOfAbsence(name: string, object: SideObject): string | undefined {
    const { gaps, sections, facts } = this.side;
    if (gaps.some((gap) => covers(gap, name, object))) return "untold";
    const section = sectionOf(object);
    if (sections !== undefined && !sections.has(section))
      return `nobody can list each ${object.definition.noun} in ${facts.name}`;
    if (this.strangersIn.has(section))
      return `it may be there: ${facts.name} does not tell who all of them are`;
    return undefined;
  }

  private isStrange({ steps }: SideObject): boolean {
    return steps.some(this.strange);
  }
}

/** The section in which an object stands, with the name of its holder. */
function sectionOf({ steps }: SideObject): string {
  const holder = nameOf(steps.slice(0, -1));
  return `${holder === "" ? "" : `${holder}/`}${steps.at(-1)?.section ?? ""}`;
}

/** Does what could not be read concern an object: it itself, the list in which it would be, or something above it? */
function covers({ type, name: within }: Gap, name: string, { steps }: SideObject): boolean {
  if (within === name) return true;
  if (within !== undefined && !name.startsWith(`${within}/`)) return false;
  const section = definitions.find((definition) => definition.type === type)?.document?.section;
  const depth = within === undefined ? 0 : within.split("/").length / 2;
  return steps[depth]?.section === section;
}
