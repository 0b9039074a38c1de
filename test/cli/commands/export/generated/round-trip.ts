/** Checks the two guarantees of an export for any workspace without Pulumi's engine, and returns the violations. */
import { isDeepStrictEqual } from "node:util";
import { isSameJson } from "../../../../../diff/values.js";
import type { Emulator } from "../../../../../emulator/index.js";
import { SpelledNames } from "../../../../../provider/index.js";
import { IMPORT_VARIABLE } from "../../../../../resources/definition/import-mode.js";
import { changedBetween, Engine, type State } from "../../../../provider/engine.js";
import { apply, withIds } from "../apply.js";
import { notCopied, notExported } from "./exceptions.js";
import { type Exported, exported, type Manner } from "./exported.js";
import { shownIn, type ShownObject } from "./shown.js";

/** Exports, imports and previews: every object must be imported without a write and without a remaining change. */
export async function comesUnderCode(emulator: Emulator, manner: Manner): Promise<string[]> {
  const before = await shownIn(emulator);
  emulator.journal.clear();
  const file = await exported(emulator, manner);
  if (file.code !== 0 && file.code !== 10) return [`export ended with ${file.code}: ${file.told}`];
  const { states, problems } = await imported(emulator, file);
  const missing = manner.kinds
    ? []
    : missingIn(before, states, notExported(before, emulator.settings, manner));
  if (missing.length > 0 && file.code !== 10)
    problems.push(`exit code ${file.code} though objects are missing`);
  if (missing.length > 0) problems.push(file.told.slice(file.told.indexOf("Not in the file")));
  problems.push(...missing, ...(await changesIn(emulator, file, states)));
  const writes = emulator.journal.writes().map(({ method, path }) => `written: ${method} ${path}`);
  return [...problems, ...writes];
}

/** Imports as the engine does: by creations in a run that only imports. */
async function imported(emulator: Emulator, { declarations }: Exported) {
  process.env[IMPORT_VARIABLE] = "1";
  try {
    return { states: await apply(emulator, declarations), problems: [] as string[] };
  } catch (error) {
    return { states: new Map<string, State>(), problems: [`import: ${(error as Error).message}`] };
  } finally {
    delete process.env[IMPORT_VARIABLE];
  }
}

/** Returns the changes that a preview would show before and after a refresh. */
async function changesIn(
  { baseUrl, token, workspace }: Emulator,
  { declarations }: Exported,
  states: ReadonlyMap<string, State>,
): Promise<string[]> {
  const engine = new Engine(baseUrl, token, workspace);
  const problems: string[] = [];
  await engine.run(async () => {
    for (const { definition, name, args } of declarations) {
      const state = states.get(name);
      if (state === undefined) continue;
      const inputs = withIds(definition.references, args, states);
      const refreshed = await engine.refresh(state);
      if (refreshed === undefined) {
        problems.push(`${name}: a refresh says that it is gone`);
        continue;
      }
      const drifted = changedBetween(state, refreshed);
      if (drifted.length > 0)
        problems.push(`${name}: a refresh changes ${described(drifted, state, refreshed)}`);
      for (const [when, of] of [
        ["after the import", state],
        ["after a refresh", refreshed],
      ] as const) {
        const { changes } = await engine.diff(of, inputs);
        const names = Object.keys(inputs).filter((arg) => !isSameJson(inputs[arg], of.outs[arg]));
        if (changes)
          problems.push(`${name}: a preview ${when} has changes: ${described(names, of, { outs: inputs })}`);
      }
    }
  });
  return problems;
}

function described(names: readonly string[], a: Pick<State, "outs">, b: Pick<State, "outs">): string {
  return names
    .map((name) => `${name} ${JSON.stringify(a.outs[name])} -> ${JSON.stringify(b.outs[name])}`)
    .join(", ");
}

function missingIn(
  objects: readonly ShownObject[],
  states: ReadonlyMap<string, State>,
  excused: (object: ShownObject) => string | undefined,
): string[] {
  const known = new Set([...states.values()].map(({ type, id }) => `${type} ${id}`));
  const problems: string[] = [];
  for (const object of objects) {
    const reason = excused(object);
    const there = known.has(`${object.type} ${object.id}`);
    if (!there && reason === undefined)
      problems.push(`${object.type} ${JSON.stringify(object.names)} is not in the export`);
  }
  return problems;
}

/**
 * Exports, applies to an empty second workspace, and exports again: files and workspaces must be equal. Returns
 * undefined if the file cannot be applied to another workspace.
 */
export async function isCopied(from: Emulator, to: Emulator, manner: Manner): Promise<string[] | undefined> {
  const before = await shownIn(from);
  const first = await exported(from, manner);
  if (first.code !== 0 && first.code !== 10) return [`export ended with ${first.code}: ${first.told}`];
  // Incomplete values are reported, and tested separately (export/oddities.test.ts).
  if (refersElsewhere(first) || first.told.includes(" is incomplete: ")) return undefined;
  if (declaresTwins(first)) return undefined;
  try {
    await apply(to, first.declarations);
  } catch (error) {
    return [`up: ${(error as Error).message}`];
  }
  const second = await exported(to, manner);
  const problems = second.code === 0 ? [] : [`the second export ended with ${second.code}: ${second.told}`];
  problems.push(...linesBetween(withoutHead(first.text), withoutHead(second.text)));
  const excused = notCopied(before, from.settings);
  const after = (await shownIn(to)).filter(({ type }) => type !== "Branch");
  const there = new Set(after.map(keyOf));
  const copied = before.filter(
    (object) => excused(object) === undefined || (there.has(keyOf(object)) && !isBuiltIn(keyOf(object))),
  );
  return [...problems, ...differences(copied, after)];
}

/**
 * Checks for references by number, which exist for ambiguous names and are wrong in another workspace, and for people
 * who cannot be declared and would have to be members of the second workspace already.
 */
function refersElsewhere({ declarations }: Exported): boolean {
  return declarations.some(({ definition: { references }, args }) =>
    Object.keys(references).some(
      (arg) =>
        typeof args[arg] === "number" ||
        (typeof args[arg] === "string" && references[arg]?.to === "WorkspaceMember"),
    ),
  );
}

/** Checks for two names that only their spelling tells apart: no run creates a second object for the second one. */
function declaresTwins({ declarations }: Exported): boolean {
  const names = declarations.map(({ name }) => name);
  const spelled = new SpelledNames(names);
  return names.some((name) => spelled.others(name).length > 0);
}

/** Removes the comment with origin and time of the export. */
export function withoutHead(text: string): string {
  return text.replace(/^(#.*\n)+/, "");
}

function linesBetween(first: string, second: string): string[] {
  if (first === second) return [];
  const [a, b] = [first.split("\n"), second.split("\n")];
  const at = a.findIndex((line, index) => line !== b[index]);
  return [
    `the second export differs at line ${at + 1}: ${JSON.stringify(a.slice(at - 2, at + 2))} is ${JSON.stringify(b.slice(at - 2, at + 2))}`,
  ];
}

const keyOf = ({ type, names }: ShownObject) => JSON.stringify([type, ...names]);

export function differences(before: readonly ShownObject[], after: readonly ShownObject[]): string[] {
  const copies = new Map(after.map((object) => [keyOf(object), object]));
  const problems: string[] = [];
  for (const object of before) {
    const copy = copies.get(keyOf(object));
    copies.delete(keyOf(object));
    if (copy === undefined) {
      problems.push(`${keyOf(object)} is not in the copy`);
      continue;
    }
    for (const field of new Set([...Object.keys(object.says), ...Object.keys(copy.says)])) {
      const [was, is] = [object.says[field], copy.says[field]];
      if (isSame(was, is)) continue;
      problems.push(`${keyOf(object)}.${field}: ${JSON.stringify(was)} is ${JSON.stringify(is)} in the copy`);
    }
  }
  return [
    ...problems,
    ...[...copies.keys()].filter((key) => !isBuiltIn(key)).map((key) => `${key} is only in the copy`),
  ];
}

/** Matches objects that every workspace has from the start. */
const isBuiltIn = (key: string) =>
  /^\["(WorkspaceMember","owner@example|PermissionSet","(Developer|Read-only))/.test(key);

/**
 * Compares values as far as the service shows them: masked values are equal. Null, false, an empty list and an empty
 * text are equal, as everywhere in this project (docs/contributing/objects.md, "How an operation works").
 */
function isSame(was: unknown, is: unknown): boolean {
  const masked = (value: unknown) => typeof value === "string" && value.startsWith("secure!");
  if (masked(was) && masked(is)) return true;
  return (isBlank(was) && isBlank(is)) || isDeepStrictEqual(was, is);
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
