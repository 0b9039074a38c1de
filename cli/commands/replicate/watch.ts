/** A watch list: only these kinds are replicated. The overlay takes all others out, or makes them external. */
import { leafValue, type MapTree, type Tree } from "../../../workspace-file/index.js";
import { stepsTo, type LocationStep } from "../../../workspace-file/edit/index.js";
import { sectionsOf, shapeUnder, type Placed } from "../../../workspace-file/compose/shape.js";
import { CliError } from "../../errors.js";
import { entriesIn, kindNamed, sectionAt, type EntryTree } from "./entries.js";
import { referredTo } from "./referred.js";
import type { Target } from "./target.js";

/** What becomes of a section of a kind that is not on the list. */
interface Decision {
  /** Logical name of the entry in which the section stands; empty for the document. */
  readonly holder: string;
  readonly section: string;
  readonly kind: Placed;
  /** Keys of entries that are needed: they hold what is on the list, or are referred to by that. */
  readonly external: readonly string[];
  /** Nothing on the list stands in them. */
  readonly whole: boolean;
}

/** Writes into the target's overlay what keeps all other kinds out. */
export function applyWatchList(target: Target, wanted: ReadonlySet<string>): void {
  const { tree } = target.base();
  const decisions = [...new Deciding(wanted, referredTo(tree, wanted)).in(tree, "", undefined)];
  const now = target.now().tree;
  for (const decision of decisions) new Writing(target, decision).write(now);
  const then = target.now().tree;
  for (const decision of decisions) new Writing(target, decision).clear(then);
}

/** What is on the list and does not come to the target all the same, since its overlay says so: by its author, or an earlier list. */
export function excludedKinds(target: Target, wanted: ReadonlySet<string>): string[] {
  const there = new Set(target.now().declared.declarations.map(({ name }) => name));
  return target
    .base()
    .declared.declarations.filter(({ definition, name }) => wanted.has(definition.type) && !there.has(name))
    .map(({ name }) => name);
}

class Deciding {
  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly needed: ReadonlySet<string>,
  ) {}

  *in(holder: MapTree, name: string, type: string | undefined): Generator<Decision> {
    for (const { kind, entries } of this.sections(holder, name, type)) {
      const { section } = kind.document;
      let further = entries;
      if (!this.wanted.has(kind.type)) {
        const possible = kind.document.form === "map" ? entries : [];
        further = possible.filter((entry) => this.needed.has(entry.name) || this.holdsWanted(entry, kind));
        const whole = !further.some((entry) => this.holdsWanted(entry, kind));
        yield { holder: name, section, kind, external: further.map(({ key }) => key), whole };
      }
      for (const entry of further)
        if (entry.tree.kind === "map") yield* this.in(entry.tree, entry.name, kind.type);
    }
  }

  private holdsWanted({ tree, name }: EntryTree, { type }: Placed): boolean {
    if (tree.kind !== "map") return false;
    return this.sections(tree, name, type).some(
      ({ kind, entries }) =>
        entries.length > 0 &&
        (this.wanted.has(kind.type) ||
          (kind.document.form === "map" &&
            entries.some((entry) => this.needed.has(entry.name) || this.holdsWanted(entry, kind)))),
    );
  }

  private sections(holder: MapTree, name: string, type: string | undefined) {
    return [...sectionsOf(type).values()].flatMap((kind) => {
      const written = sectionAt(holder, type, kind);
      return written === undefined ? [] : [{ kind, entries: entriesIn(written, kind, name) }];
    });
  }
}

const GONE = { $remove: true };
const EXTERNAL = { external: true };

class Writing {
  private readonly steps: readonly LocationStep[];

  constructor(
    private readonly target: Target,
    private readonly decision: Decision,
  ) {
    this.steps = [...stepsTo(decision.holder), { key: decision.section }];
  }

  /** Takes out the entries, or makes them external. */
  write(now: MapTree): void {
    const { external, whole } = this.decision;
    const entries = this.entriesIn(now);
    const others = entries.filter(({ key, at }) => !external.includes(key) && !this.target.isOwn(at));
    const isExternal = (wanted: string) =>
      entries.some(({ key, tree }) => key === wanted && saysExternal(tree));
    const missing = external.filter((key) => !isExternal(key));
    if (whole) return this.replace(others.length > 0 || missing.length > 0, missing);
    for (const { key } of others) this.say([{ key }], GONE);
    for (const key of missing) this.makeExternal(key);
  }

  /** Takes the arguments out of entries that are external now. */
  clear(then: MapTree): void {
    const { kind, external } = this.decision;
    for (const { key, tree } of this.entriesIn(then)) {
      if (!external.includes(key) || tree.kind !== "map" || !saysExternal(tree)) continue;
      for (const [arg, member] of tree.entries) {
        const isSection = shapeUnder({ is: "entry", kind }, arg, member.value).is === "section";
        // What the overlay says itself is its author's affair, and is told of when it cannot be.
        if (arg === "external" || isSection || this.target.isOwn(member.key)) continue;
        this.say([{ key }, { key: arg }], GONE);
      }
    }
  }

  /** The whole section goes, so that what is declared in it later stays out too. */
  private replace(needed: boolean, missing: readonly string[]): void {
    if (!needed) return;
    const { external } = this.decision;
    const said = this.target.overlay.said(this.steps);
    const own = typeof said === "object" && said !== null && !isGone(said) ? said : undefined;
    if (Array.isArray(own)) throw this.noRoom();
    if (own === undefined) {
      const kept = external.map((key) => [key, EXTERNAL] as const);
      return this.say([], external.length === 0 ? GONE : { $replace: true, ...Object.fromEntries(kept) });
    }
    if (!Object.hasOwn(own, "$replace")) this.say([{ key: "$replace" }], true);
    for (const key of missing) this.makeExternal(key);
  }

  private makeExternal(key: string): void {
    const said = this.target.overlay.said([...this.steps, { key }]);
    if (typeof said === "object" && said !== null && !isGone(said))
      this.say([{ key }, { key: "external" }], true);
    else this.say([{ key }], EXTERNAL);
  }

  private say(below: readonly LocationStep[], value: unknown): void {
    if (!this.target.overlay.say([...this.steps, ...below], value)) throw this.noRoom();
  }

  private noRoom(): CliError {
    const { holder, section } = this.decision;
    const what = holder === "" ? section : `${section} of ${holder}`;
    return new CliError(
      `${this.target.overlayFile} speaks of ${what}, which the watch list leaves out, in a form that cannot be changed: ` +
        "take that out of the overlay, or put the kind on the watch list",
    );
  }

  /** The entries of the section in a document, each with the place of its name. */
  private entriesIn(document: MapTree) {
    const { holder, kind } = this.decision;
    const at = kindNamed(document, holder);
    const written = at === undefined ? undefined : sectionAt(at.tree, at.type, kind);
    return written === undefined ? [] : entriesIn(written, kind, holder);
  }
}

const isGone = (said: object) => (said as { $remove?: unknown }).$remove === true;

function saysExternal(tree: Tree): boolean {
  return tree.kind === "map" && leafValue(tree.entries.get("external")?.value) === true;
}
