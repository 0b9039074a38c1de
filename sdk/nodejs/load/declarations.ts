/** The value of a workspace file → what it declares: a flat list of resources in the order they depend on each other. */
import { z } from "zod";
import {
  argsFromPlace,
  documentHead,
  entryWords,
  kindsUnder,
  problemsOf,
  WORKSPACE,
  type Problem,
} from "../../../schema/index.js";
import { definitions, problemLine, UNKNOWN, validateArgs, type Fields } from "../../../provider/index.js";
import { collect, isRecord, type Entry } from "./entries.js";
import { placeInFile } from "./held.js";
import { mapRefs, Names, Ref, resolveNames } from "./names.js";
import { inSequence } from "./sequence.js";
import type { Declaration } from "./declaration.js";

export interface Declared {
  readonly workspace: string | undefined;
  readonly connection: string | undefined;
  readonly declarations: readonly Declaration[];
  readonly problems: readonly Problem[];
}

/** Reads the declarations out of a file's value; all problems at once, each with its path. */
export function declarationsOf(value: unknown): Declared {
  const problems: Problem[] = [];
  const none = { workspace: undefined, connection: undefined, declarations: [], problems };
  if (!isRecord(value)) {
    problems.push({
      path: [],
      code: "wrong-type",
      message: "a workspace file is a map that begins with `version: 1`",
    });
    return none;
  }
  const { everywhere, ...head } = readHead(value, problems);
  const entries = new Map<string, Entry>();
  collect(value, WORKSPACE, undefined, [], entries, problems);
  const names = new Names(entries.values());
  const managed = [...entries.values()].filter((entry) => !entry.external);
  const declarations = managed.map((entry) => declare(entry, names, everywhere, problems));
  problems.push(...sameObjectTwice(declarations));
  return { ...head, declarations: inSequence(declarations, entries), problems };
}

function readHead(value: Fields, problems: Problem[]) {
  const sections = kindsUnder(definitions, WORKSPACE).map((kind) => kind.document.section);
  const head = Object.fromEntries(Object.entries(value).filter(([key]) => !sections.includes(key)));
  const parsed = z.strictObject(documentHead).safeParse(head, { reportInput: true });
  if (parsed.success) {
    const { workspace, connection, adopt } = parsed.data;
    return {
      workspace,
      connection,
      everywhere: { ...(workspace === undefined ? {} : { workspace }), ...(adopt ? { adopt } : {}) },
    };
  }
  const known = [...Object.keys(documentHead), ...sections];
  for (const problem of problemsOf(parsed.error, () => known)) {
    problems.push({ ...problem, message: problem.atKey ? problem.message : problemLine(problem) });
  }
  return { workspace: undefined, connection: undefined, everywhere: {} };
}

/** The resource that an entry declares, its arguments checked. */
function declare(entry: Entry, all: Names, everywhere: Fields, problems: Problem[]): Declaration {
  const { definition, path } = entry;
  const placed = argsFromPlace(definition);
  for (const arg of placed.filter((name) => name in entry.written)) {
    problems.push({
      path: [...path, arg],
      code: "unknown-property",
      message: `unknown property "${arg}": it follows from where the ${definition.noun} stands`,
      atKey: true,
    });
  }
  const names = resolveNames(entry, all, problems);
  const args: Fields = { ...everywhere, ...entry.written, ...names, ...fromPlace(entry) };
  const checked = mapRefs(args, () => UNKNOWN) as Fields;
  const sections = kindsUnder(definitions, definition.type).map((kind) => kind.document.section);
  const ofLists = definition.document?.form === "list" ? ["key"] : [];
  const words = [...sections, ...Object.keys(entryWords), ...ofLists];
  for (const problem of validateArgs(definition, checked, words)) {
    // In a map the key itself is the value of an argument; everything else stands where its path says.
    const isKey = problem.path[0] === definition.document?.keyedBy && definition.document?.form !== "list";
    problems.push({
      path: isKey ? path : [...path, ...placeInFile(entry.held, problem.path)],
      code: problem.code,
      message: problem.atKey ? problem.message : problemLine(problem),
      atKey: isKey || problem.atKey === true,
    });
  }
  const { name, formerNames, retain, protect } = entry;
  return { definition, name, formerNames, path, args, retain, protect, after: undefined };
}

/** Arguments that an entry has from the entries it stands in. */
function fromPlace(entry: Entry): Fields {
  const { parent, definition } = entry;
  const arg = parent && definition.document?.under[parent.definition.type];
  if (!parent || typeof arg !== "string") return {};
  if (!parent.external) return { [arg]: new Ref(parent.name) };
  // An external parent is found by name, which takes what it stands in itself.
  return { ...fromPlace(parent), [arg]: parent.key };
}

/** Two entries that name the same object of the service: the second would fight the first. */
function sameObjectTwice(declarations: readonly Declaration[]): Problem[] {
  const first = new Map<string, Declaration>();
  return declarations.flatMap((declaration) => {
    const { definition, args, path, name } = declaration;
    const values = definition.naturalKey.map((arg) => args[arg]);
    const known = values.some((value) => value !== undefined);
    const key = JSON.stringify([definition.type, values]);
    const other = first.get(key);
    if (!other) first.set(key, declaration);
    if (!other || !known) return [];
    return [
      {
        path,
        code: "declared-twice" as const,
        message: `${name} names the same ${definition.noun} as ${other.name}: name it otherwise, or take one out`,
        atKey: true,
      },
    ];
  });
}
