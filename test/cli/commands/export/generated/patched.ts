/**
 * Tests the third guarantee: an export to the file of another workspace equals one to a new file, and does not change
 * on repetition.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { isSameValue, stringifyStably } from "../../../../../diff/values.js";
import type { Emulator } from "../../../../../emulator/index.js";
import type { Fields } from "../../../../../provider/index.js";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../../../workspace-file/load/load.js";
import { personAt } from "../../../service-support.js";
import { make } from "./make.js";
import { generated, withEmulator } from "./run.js";

export interface Patched {
  readonly problems: readonly string[];
  /** Number of objects by which the two workspaces differ. */
  readonly changes: number;
  readonly code: number;
}

/** Exports a workspace to the file of another one of the same size. */
export async function patchedOnce(seed: number): Promise<Patched> {
  const size = { projects: 2, pipelines: 2, actions: 4, others: 5 };
  const [before, after] = [seed, seed + 1000].map(
    (of) => fc.sample(generated(size), { numRuns: 1, seed: of })[0]!,
  );
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-patched-"));
  const settings = { ...after!.settings };
  try {
    const path = join(folder, "code");
    const target = before!.split ? ["--split", path] : ["-o", join(path, "workspace.yaml")];
    const first = await withEmulator(settings, async (emulator) => {
      await make(emulator, before!.raw);
      return exported(emulator, ...target);
    });
    const had = declared(path).length;
    return await withEmulator(settings, async (emulator) => {
      await make(emulator, after!.raw);
      const whole = await exported(emulator, "-o", join(folder, "whole", "workspace.yaml"));
      const patch = await exported(emulator, ...target);
      const said = textsIn(path);
      const again = await exported(emulator, ...target);
      const problems = [
        ...[first, whole, patch, again].flatMap(({ code, told }) => (code === 1 ? [told] : [])),
        ...(stringifyStably(said) === stringifyStably(textsIn(path))
          ? []
          : ["a second time, something changes again"]),
        ...unlike(declared(join(folder, "whole")), declared(path), patch.told),
        ...emulator.journal.writes().map(({ method, path: written }) => `written: ${method} ${written}`),
      ];
      return { problems, changes: Math.abs(had - declared(path).length), code: patch.code };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function exported(emulator: Emulator, ...options: string[]) {
  emulator.journal.clear();
  const { code, stderr, stdout } = await personAt(emulator).types(["export", ...options]);
  return { code, told: stderr + stdout };
}

const declared = (path: string) =>
  readDeclarations(join(path, "workspace.yaml"), { mock: true, env: {} }).declarations.filter(
    ({ definition }) => definition.document,
  );

const textsIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")])
    .sort();

/** Returns the differences between two files, except for those that the export reported. */
function unlike(
  whole: readonly ResourceDeclaration[],
  patched: readonly ResourceDeclaration[],
  told: string,
): string[] {
  const [wanted, found] = [byNaturalName(whole), byNaturalName(patched)];
  const problems: string[] = [];
  for (const [name, one] of wanted) {
    const other = found.get(name);
    if (other === undefined) problems.push(`${name} is missing`);
    else problems.push(...unlikeArgs(name, one, other));
  }
  for (const name of found.keys()) if (!wanted.has(name)) problems.push(`${name} should be gone`);
  return problems.filter((problem) => !told.includes(problem.split(" ")[0] ?? ""));
}

function unlikeArgs(name: string, a: ResourceDeclaration, b: ResourceDeclaration): string[] {
  const [wanted, found] = [a.args, b.args].map(plain) as [Fields, Fields];
  const hidden = a.definition.writeOnly(a.args);
  const { sets } = a.definition;
  return [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
    .filter((arg) => !hidden.includes(arg) && arg !== a.definition.document?.keyedBy)
    .filter((arg) => !isSameValue(wanted[arg], found[arg], sets.includes(arg)))
    .filter((arg) => ![wanted[arg], found[arg]].some((value) => stringifyStably(value).includes("mock-")))
    .map((arg) => `${name} ${arg}: ${stringifyStably(wanted[arg])}, not ${stringifyStably(found[arg])}`);
}

function plain(value: unknown): unknown {
  if (value instanceof Ref) return value.name.split("/").at(-1);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Maps declarations by their names at the service, since a file may have other keys. */
function byNaturalName(all: readonly ResourceDeclaration[]): Map<string, ResourceDeclaration> {
  const names = new Map<string, string>();
  const found = new Map<string, ResourceDeclaration>();
  for (const one of all.toSorted((a, b) => a.name.split("/").length - b.name.split("/").length)) {
    const steps = one.name.split("/");
    const parent = steps.slice(0, -2).join("/");
    const key = one.args[one.definition.document?.keyedBy ?? ""];
    const own = typeof key === "string" ? encodeURIComponent(key) : steps.at(-1);
    const name = [...(parent === "" ? [] : [names.get(parent) ?? parent]), steps.at(-2), own].join("/");
    names.set(one.name, name);
    found.set(name, one);
  }
  return found;
}
