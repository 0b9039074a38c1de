/** Edits a workspace file in place. The result of each edit is verified by reading the document again. */
import { relative } from "node:path";
import { readText } from "../../trust/checkout-files.js";
import { chooseVariableFor, readVariable } from "../../trust/variables.js";
import { parseVariable, splitPieces } from "../compose/placeholders.js";
import { STDIN } from "../load/files.js";
import { readDeclarations, readDocument, WorkspaceFileError } from "../load/load.js";
import { isModule } from "../load/module.js";
import { isJson } from "../syntax/parse.js";
import { buildSnapshot, Draft, type DraftSnapshot } from "./draft.js";
import { AsWritten, type Edit, type EditedFile, type EditOptions, type EditResult } from "./edit-types.js";
import { withoutEmptyFiles } from "./empty-files.js";
import { Attempts, type Done, joinAttempts } from "./make-edits.js";

/**
 * Edits a workspace file with its includes and overlays. Writes nothing: the result contains the texts.
 * @throws {WorkspaceFileError} when the file is not valid
 */
export function editWorkspace(file: string, options: EditOptions, edits: readonly Edit[]): EditResult {
  if (file === STDIN || isModule(file) || isJson(file)) return refuseAll(file, edits);
  // Mock values of placeholders are not checked, unlike those of the environment.
  const reading = options.mock === true ? options : { ...options, env: buildEnvironment(options, edits) };
  readDeclarations(file, reading);
  const document = readDocument(file, reading);
  const draft = Draft.of(document);
  const before = buildSnapshot(document, draft);
  if (before === undefined) throw new TypeError("a document that is valid can be read");
  const attempts = new Attempts(file, reading);
  const done = attempts.make(before, edits);
  const valid = keepValid(file, reading, attempts, before, done);
  const { dropEmptyFiles, ...read } = reading;
  const last = dropEmptyFiles ? withoutEmptyFiles(file, read, draft, valid.snapshot) : valid.snapshot;
  const { made, refused } = valid;
  return { files: findChangedFiles(draft, last.draft), expected: valid.snapshot.normal, made, refused };
}

function refuseAll(file: string, edits: readonly Edit[]): EditResult {
  const what = file === STDIN ? "standard input" : `${file}, ${isJson(file) ? "JSON" : "a module"},`;
  const reason = `${what} cannot be edited: make the change yourself`;
  return {
    files: [],
    expected: undefined,
    made: [],
    refused: edits.map((edit) => ({ edit, code: "form", reason })),
  };
}

/** Adds values for the placeholders of edits, whose variables need not be set yet. */
function buildEnvironment(
  { env = process.env }: EditOptions,
  edits: readonly Edit[],
): NonNullable<EditOptions["env"]> {
  const added: Record<string, string> = {};
  const visit = (value: unknown): void => {
    if (value instanceof AsWritten) {
      for (const piece of splitPieces(value.text)) {
        if (typeof piece !== "object" || piece.kind !== "env") continue;
        const [name] = parseVariable(piece.body);
        if (!readVariable(name, env)) added[chooseVariableFor(name)] = "not-set-yet";
      }
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(visit);
  };
  edits.forEach(visit);
  return { ...env, ...added };
}

/** Omits edits that would make the file invalid: all edits of an object, or none. */
function keepValid(
  file: string,
  options: EditOptions,
  attempts: Attempts,
  before: DraftSnapshot,
  done: Done,
): Done {
  if (findProblemIn(file, options, done.snapshot) === undefined) return done;
  const units = new Map<string, Edit[]>();
  for (const { edit } of done.made)
    units.set(describeEdit(edit), [...(units.get(describeEdit(edit)) ?? []), edit]);
  let left: readonly (readonly Edit[])[] = [...units.values()];
  let good: Done = { snapshot: before, made: [], refused: done.refused };
  let why = new Map<readonly Edit[], string>();
  /** Makes the valid edits and returns the others. */
  const take = (some: readonly (readonly Edit[])[]): readonly (readonly Edit[])[] => {
    const [unit] = some;
    if (unit === undefined) return [];
    const tried = attempts.make(good.snapshot, some.flat());
    const problem = findProblemIn(file, options, tried.snapshot);
    if (problem === undefined) {
      good = joinAttempts(good, tried);
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
function findProblemIn(file: string, options: EditOptions, { draft }: DraftSnapshot): string | undefined {
  try {
    readDeclarations(file, { ...options, texts: draft.all });
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceFileError)) throw error;
    return `the file would not be valid: ${error.problems[0]?.message}`;
  }
}

/** Returns the name of the object that an edit changes. */
export function describeEdit(edit: Edit): string {
  const [{ name }] = Object.values(edit) as [{ name: string }];
  return name;
}

function findChangedFiles(before: Draft, after: Draft): EditedFile[] {
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
