/** Makes edits: tries the ways to write them, and verifies each result by reading it. */
import { formatPath, type PropertyPath } from "../../resources/definition/problems.js";
import { type Canonical, isSameCanonical, listCanonicalDifferences } from "./canonical-form.js";
import { type Draft, type DraftSnapshot, takeSnapshot } from "./draft.js";
import { type Edit, type EditOptions, type MadeEdit, Refusal, type Refused } from "./edit-types.js";
import { planEdit, type WriteStrategy } from "./plan-edit.js";

export interface Done {
  readonly snapshot: DraftSnapshot;
  readonly made: readonly MadeEdit[];
  readonly refused: readonly Refused[];
}

/** Edit that can be made, and the ways to write it. */
interface Possible {
  readonly edit: Edit;
  readonly ways: readonly WriteStrategy[];
}

const NOTHING: WriteStrategy = { run: () => undefined };

/** Maximum number of edits that are also tried one after the other, instead of each on the original text. */
const FEW = 8;

/** Makes edits of a document. */
export class Attempts {
  constructor(
    private readonly file: string,
    private readonly options: EditOptions,
  ) {}

  /** Makes as many edits as possible. Edits that fail are tried again after the others, on which they may depend. */
  make(before: DraftSnapshot, edits: readonly Edit[]): Done {
    let done: Done = { snapshot: before, made: [], refused: [] };
    let left = edits;
    for (let more = true; more && left.length > 0;) {
      const next = this.together(done.snapshot, left);
      done = { ...next, made: [...done.made, ...next.made] };
      more = next.made.length > 0;
      left = done.refused.map(({ edit }) => edit);
    }
    return done;
  }

  /** Makes edits together. A failing group is halved, so that few refusals cost few readings. */
  private together(before: DraftSnapshot, edits: readonly Edit[]): Done {
    const { normal, possible, refused } = this.plan(before, edits);
    if (possible.length === 0) return { snapshot: before, made: [], refused };
    const done = this.written(before, possible, normal);
    if (done instanceof Refusal) {
      const [{ edit }] = possible as [Possible];
      return { snapshot: before, made: [], refused: [createRefused(edit, done), ...refused] };
    }
    if (done) return { ...done, refused };
    const each = possible.map(({ edit }) => edit);
    const middle = each.length >> 1;
    const first = this.together(before, each.slice(0, middle));
    const halves = joinAttempts(first, this.together(first.snapshot, each.slice(middle)));
    return { ...halves, refused: [...halves.refused, ...refused] };
  }

  /** Plans the edits one after the other. */
  private plan(before: DraftSnapshot, edits: readonly Edit[]) {
    let { normal } = before;
    const possible: Possible[] = [];
    const refused: Refused[] = [];
    for (const edit of edits) {
      try {
        const plan = planEdit(edit, { ...before, normal }, this.options.writeFiles ?? false);
        const ways = isSameCanonical(normal, plan.normal) ? [NOTHING] : plan.ways;
        if (ways.length === 0) throw new Refusal("not-there", "no file of the document contains it");
        possible.push({ edit, ways });
        normal = plan.normal;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push(createRefused(edit, error));
      }
    }
    return { normal, possible, refused };
  }

  /**
   * Writes all edits in the first way by which the document gets the planned form.
   * @returns why a single edit cannot be written; undefined where several cannot
   */
  private written(before: DraftSnapshot, edits: readonly Possible[], planned: Canonical) {
    const writers =
      edits.length === 1
        ? [attemptInTurn]
        : edits.length > FEW
          ? [attemptApart]
          : [attemptApart, attemptInTurn];
    let refusal: Refusal | undefined;
    for (const ways of combineStrategies(edits)) {
      for (const write of writers) {
        try {
          const after = takeSnapshot(this.file, this.options, write(before.draft, ways));
          if (after && after.problems <= before.problems && isSameCanonical(after.normal, planned))
            return { snapshot: after, made: edits.map(({ edit }, index) => createMade(edit, ways[index])) };
          if (edits.length === 1) refusal ??= describeSideEffect(before, after, planned);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          if (edits.length === 1) refusal ??= error;
        }
      }
    }
    return refusal;
  }
}

/** Returns the ways to try: all of a single edit; otherwise the best ones. */
function combineStrategies(edits: readonly Possible[]): readonly (readonly WriteStrategy[])[] {
  const [only, second] = edits;
  if (only && second === undefined) return only.ways.map((way) => [way]);
  const best = edits.map(({ ways: [way = NOTHING] }) => way);
  // Objects that share a value need no value of their own if all of them change in the same way.
  const shared = best.map((way) => (way.override ? NOTHING : way));
  return best.some(({ override }) => override) ? [shared, best] : [best];
}

/** Runs each way on the original text, which is parsed once. */
function attemptApart(draft: Draft, ways: readonly WriteStrategy[]): Draft {
  const merged = draft.copy();
  try {
    if (merged.merge(ways.map((way) => attemptInTurn(draft, [way])))) return merged;
  } catch {
    // It depends on earlier edits.
  }
  throw new Refusal("shared", "it depends on another edit");
}

/** Runs each way on the result of the one before. */
function attemptInTurn(draft: Draft, ways: readonly WriteStrategy[]): Draft {
  const copy = draft.copy();
  for (const way of ways) way.run(copy);
  return copy;
}

const createRefused = (edit: Edit, { code, message }: Refusal): Refused => ({ edit, code, reason: message });

const createMade = (edit: Edit, { file, override }: WriteStrategy = NOTHING): MadeEdit => ({
  edit,
  ...(file === undefined ? {} : { file }),
  ...(override ? { override } : {}),
});

/** Adds what was made after other edits. */
export const joinAttempts = (first: Done, { snapshot, made, refused }: Done): Done => ({
  snapshot,
  made: [...first.made, ...made],
  refused: [...first.refused, ...refused],
});

/** Explains which other changes a way would have made. */
function describeSideEffect(
  before: DraftSnapshot,
  after: DraftSnapshot | undefined,
  planned: Canonical,
): Refusal {
  if (after === undefined || after.problems > before.problems)
    return new Refusal("shared", "its form does not allow changing it separately");
  const changed = listCanonicalDifferences(before.normal, after.normal);
  const others = listCanonicalDifferences(after.normal, planned).filter((path) =>
    changed.some((other) => startsWith(other, path)),
  );
  const names = others.slice(0, 3).map((path) => formatPath(path));
  const more = others.length > 3 ? ` and ${others.length - 3} more` : "";
  if (names.length === 0) return new Refusal("shared", "a source with higher precedence sets it");
  return new Refusal(
    "shared",
    `the text is shared by an anchor, a template or defaults: ${names.join(", ")}${more} would change too`,
  );
}

const startsWith = (path: PropertyPath, beginning: PropertyPath) =>
  beginning.every((step, index) => path[index] === step);
