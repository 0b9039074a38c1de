/** Edits a workspace file in place. The result of each edit is verified by reading the document again. */
import { relative } from "node:path";
import { piecesOf, variableIn } from "../compose/placeholders.js";
import { readVariable, variableFor } from "../../trust/variables.js";
import { readDeclarations, readDocument, WorkspaceFileError } from "../load/index.js";
import { isModule } from "../load/module.js";
import { readText } from "../../trust/files.js";
import { STDIN } from "../load/files.js";
import { attempt, madeIn, planEdit } from "./attempt.js";
import { Draft, snapshotFrom, snapshotOf, type DraftSnapshot } from "./draft.js";
import { withoutEmptyFiles } from "./empty-files.js";
import { sameCanonical } from "./canonical-form.js";
import {
  AsWritten,
  Refusal,
  type Edit,
  type EditedFile,
  type EditOptions,
  type EditResult,
  type MadeEdit,
  type Refused,
} from "./types.js";
import type { EditPlan, Strategy } from "./strategies/strategy.js";

/**
 * Edits a workspace file with its includes and overlays. Writes nothing: the result contains the texts.
 * @throws {WorkspaceFileError} when the file is not valid
 */
export function editWorkspace(file: string, options: EditOptions, edits: readonly Edit[]): EditResult {
  if (file === STDIN || isModule(file)) return allRefused(file, edits);
  // Mock values of placeholders are not checked, unlike those of the environment.
  const reading = options.mock === true ? options : { ...options, env: environment(options, edits) };
  readDeclarations(file, reading);
  const document = readDocument(file, reading);
  const draft = Draft.of(document);
  const before = snapshotFrom(document, draft);
  if (before === undefined) throw new TypeError("a document that is valid can be read");
  const done = inGroups(file, reading, before, edits);
  const valid = onlyValid(file, reading, before, done);
  const { dropEmptyFiles, ...read } = reading;
  const last = dropEmptyFiles ? withoutEmptyFiles(file, read, draft, valid.snapshot) : valid.snapshot;
  return { files: changedFiles(draft, last.draft), made: valid.made, refused: valid.refused };
}

interface Done {
  readonly snapshot: DraftSnapshot;
  readonly made: readonly MadeEdit[];
  readonly refused: readonly Refused[];
}

function allRefused(file: string, edits: readonly Edit[]): EditResult {
  const what = file === STDIN ? "standard input" : `${file}, a module,`;
  const reason = `${what} cannot be edited: make the change yourself`;
  return { files: [], made: [], refused: edits.map((edit) => ({ edit, code: "form", reason })) };
}

/** Adds values for the placeholders of edits, whose variables need not be set yet. */
function environment(
  { env = process.env }: EditOptions,
  edits: readonly Edit[],
): NonNullable<EditOptions["env"]> {
  const added: Record<string, string> = {};
  const visit = (value: unknown): void => {
    if (value instanceof AsWritten) {
      for (const piece of piecesOf(value.text)) {
        if (typeof piece !== "object" || piece.kind !== "env") continue;
        const [name] = variableIn(piece.body);
        if (!readVariable(name, env)) added[variableFor(name)] = "not-set-yet";
      }
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  edits.forEach(visit);
  return { ...env, ...added };
}

/** Maximum number of edits that are also tried one after the other, instead of each on the original text. */
const FEW = 8;

/** Tries all edits at once with their best strategies, which usually succeeds and reads the document once. */
function atOnce(
  file: string,
  options: EditOptions,
  before: DraftSnapshot,
  edits: readonly Edit[],
): Done | undefined {
  const steps: { readonly edit: Edit; readonly way?: Strategy }[] = [];
  let { normal } = before;
  for (const edit of edits) {
    const plan = planned(edit, { ...before, normal }, options);
    if (!("normal" in plan)) return undefined;
    const [way] = plan.ways;
    if (!sameCanonical(normal, plan.normal) && way === undefined) return undefined;
    steps.push(sameCanonical(normal, plan.normal) || way === undefined ? { edit } : { edit, way });
    normal = plan.normal;
  }
  const attemptWith = (uses: (way: Strategy) => boolean): Done | undefined => {
    const ways = steps.map(({ way }) => (way && uses(way) ? way : undefined));
    const made = steps.map(({ edit }, index) => madeIn(edit, ways[index]));
    for (const run of steps.length > FEW ? [eachByItself] : [eachByItself, inTurn]) {
      const draft = run(
        before,
        ways.filter((way) => way !== undefined),
      );
      const after = draft && snapshotOf(file, options, draft);
      if (after && after.problems <= before.problems && sameCanonical(after.normal, normal))
        return { snapshot: after, made, refused: [] };
    }
    return undefined;
  };
  // Objects that share a text need no text of their own when all of them change alike.
  const shared = steps.some(({ way }) => way?.override)
    ? attemptWith(({ override }) => !override)
    : undefined;
  return shared ?? attemptWith(() => true);
}

/** Runs each strategy on the original text, which is parsed once. */
function eachByItself({ draft }: DraftSnapshot, ways: readonly Strategy[]): Draft | undefined {
  const copies: Draft[] = [];
  for (const way of ways) {
    const copy = draft.copy();
    try {
      way.run(copy);
    } catch {
      // It depends on earlier edits.
      return undefined;
    }
    copies.push(copy);
  }
  const merged = draft.copy();
  return merged.merge(copies) ? merged : undefined;
}

/** Runs each strategy on the result of the one before. */
function inTurn({ draft }: DraftSnapshot, ways: readonly Strategy[]): Draft | undefined {
  const copy = draft.copy();
  return ways.every((way) => ran(way, copy)) ? copy : undefined;
}

function planned(edit: Edit, snapshot: DraftSnapshot, options: EditOptions): EditPlan | Refused {
  try {
    return planEdit(edit, snapshot, options.writeFiles ?? false);
  } catch (error) {
    if (error instanceof Refusal) return { edit, code: error.code, reason: error.message };
    throw error;
  }
}

function ran(way: Strategy, draft: Draft): boolean {
  try {
    way.run(draft);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/**
 * Makes as many edits together as possible. A failing group is halved, so that few refusals cost few readings. Edits that fail are
 * tried again after the others, on which they may depend.
 */
function inGroups(file: string, options: EditOptions, before: DraftSnapshot, edits: readonly Edit[]): Done {
  let done: Done = { snapshot: before, made: [], refused: [] };
  let left = edits;
  for (let more = true; more && left.length > 0;) {
    const [possible, refused] = sorted(options, done.snapshot, left);
    const next = halved(file, options, done.snapshot, possible);
    done = { ...next, made: [...done.made, ...next.made], refused: [...next.refused, ...refused] };
    more = next.made.length > 0;
    left = done.refused.map(({ edit }) => edit);
  }
  return done;
}

/** Separates the edits that can be planned, one after the other, from the others. */
function sorted(options: EditOptions, before: DraftSnapshot, edits: readonly Edit[]): [Edit[], Refused[]] {
  let { normal } = before;
  const possible: Edit[] = [];
  const refused: Refused[] = [];
  for (const edit of edits) {
    const plan = planned(edit, { ...before, normal }, options);
    if ("normal" in plan) {
      possible.push(edit);
      normal = plan.normal;
    } else refused.push(plan);
  }
  return [possible, refused];
}

function halved(file: string, options: EditOptions, before: DraftSnapshot, edits: readonly Edit[]): Done {
  const whole = atOnce(file, options, before, edits);
  if (whole) return whole;
  const [only, second] = edits;
  if (only === undefined) return { snapshot: before, made: [], refused: [] };
  if (second === undefined) {
    const result = attempt(file, options, before, only);
    if ("refused" in result) return { snapshot: before, made: [], refused: [result.refused] };
    return { snapshot: result.snapshot, made: [result.made], refused: [] };
  }
  const middle = edits.length >> 1;
  const first = halved(file, options, before, edits.slice(0, middle));
  return joined(first, halved(file, options, first.snapshot, edits.slice(middle)));
}

const joined = (first: Done, { snapshot, made, refused }: Done): Done => ({
  snapshot,
  made: [...first.made, ...made],
  refused: [...first.refused, ...refused],
});

/** Omits edits that would make the file invalid: all edits of an object, or none. */
function onlyValid(file: string, options: EditOptions, before: DraftSnapshot, done: Done): Done {
  if (problemIn(file, options, done.snapshot) === undefined) return done;
  const units = new Map<string, Edit[]>();
  for (const { edit } of done.made)
    units.set(nameOfEdit(edit), [...(units.get(nameOfEdit(edit)) ?? []), edit]);
  let left: readonly (readonly Edit[])[] = [...units.values()];
  let good: Done = { snapshot: before, made: [], refused: done.refused };
  let why = new Map<readonly Edit[], string>();
  /** Makes the valid edits and returns the others. */
  const take = (some: readonly (readonly Edit[])[]): readonly (readonly Edit[])[] => {
    const [unit] = some;
    if (unit === undefined) return [];
    const tried = inGroups(file, options, good.snapshot, some.flat());
    const problem = problemIn(file, options, tried.snapshot);
    if (problem === undefined) {
      good = joined(good, tried);
      return [];
    }
    if (some.length === 1) {
      why.set(unit, problem);
      return some;
    }
    const middle = some.length >> 1;
    return [...take(some.slice(0, middle)), ...take(some.slice(middle))];
  };
  for (let progress = true; progress && left.length > 0;) {
    why = new Map();
    const waiting = take(left);
    progress = waiting.length < left.length;
    left = waiting;
  }
  const refused = left.flatMap((unit) =>
    unit.map((edit) => ({
      edit,
      code: "invalid" as const,
      reason: why.get(unit) ?? "the file would not be valid",
    })),
  );
  return { ...good, refused: [...good.refused, ...refused] };
}

/** Returns the first problem of a draft. */
function problemIn(file: string, options: EditOptions, { draft }: DraftSnapshot): string | undefined {
  try {
    readDeclarations(file, { ...options, texts: draft.all });
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return `the file would not be valid: ${error.problems[0]?.message}`;
  }
}

/** Returns the name of the object that an edit changes. */
export function nameOfEdit(edit: Edit): string {
  const [{ name }] = Object.values(edit) as [{ name: string }];
  return name;
}

function changedFiles(before: Draft, after: Draft): EditedFile[] {
  const texts = after.changed(before).map(({ path, ...text }) => {
    if (text.isNew || text.isGone)
      return { path, ...text, before: text.isNew ? "" : readText(path, { named: true }) };
    // The loader skips a byte order mark, which the file keeps.
    const mark = readText(path, { named: true }).startsWith(BOM) ? BOM : "";
    return { path, before: mark + text.before, after: mark + text.after };
  });
  const values = [...after.valueFiles].map(([path, text]) => ({
    path: relative("", path),
    before: readText(path, { named: true }),
    after: text,
  }));
  return [...texts, ...values.filter((each) => each.before !== each.after)];
}

const BOM = "\uFEFF";
