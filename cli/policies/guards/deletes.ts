/** The objects that a plan deletes, and which of them somebody has named. */
import type { PlannedObject } from "../../engine/plan/objects.js";
import { matchesPattern } from "../../options/pattern.js";
import type { Judged } from "./types.js";

/** What is gone after the plan, also when something new comes in its place. */
export function deletesIn({ objects }: Pick<Judged, "objects">): PlannedObject[] {
  return objects.filter(({ operation }) => operation === "delete" || operation === "replace");
}

/** Deletions that nobody named: neither the file's `allowDelete`, nor a flag. */
export function unnamedDeletes(judged: Judged): PlannedObject[] {
  const { settings, allowances } = judged;
  const patterns = [...(settings.allowDelete ?? []), ...(allowances.allowDelete ?? [])];
  const projects = projectsNamed(judged).map(({ name }) => name);
  return deletesIn(judged).filter(
    ({ name, protected: isProtected }) =>
      !(allowances.includeProtected && isProtected) &&
      !patterns.some((pattern) => matchesPattern(pattern, name)) &&
      !projects.some((project) => name === project || name.startsWith(`${project}/`)),
  );
}

/** The type whose objects take everything in them along, and their history. */
export const PROJECT = "Project";

/** Projects that are deleted, or made anew. */
export function deletedProjects(judged: Pick<Judged, "objects">): PlannedObject[] {
  return deletesIn(judged).filter(({ type }) => type === PROJECT);
}

/** Those of them that `--include-protected` or `--delete-project` names, by the key in the file or by the name in the service. */
export function projectsNamed(judged: Judged): PlannedObject[] {
  const { deleteProject: named = [], includeProtected } = judged.allowances;
  if (includeProtected) return deletedProjects(judged);
  return deletedProjects(judged).filter((project) => namesOfProject(project).some((n) => named.includes(n)));
}

export function namesOfProject({ name, before }: PlannedObject): string[] {
  const key = name.slice(name.lastIndexOf("/") + 1);
  const called = before?.["projectName"] ?? before?.["name"];
  return [...new Set([key, ...(typeof called === "string" ? [called] : [])])];
}

/** How many objects the state manages before the plan. */
export function managedBefore({ objects }: Pick<Judged, "objects">): number {
  return objects.filter(({ operation, before }) => before !== undefined && operation !== "adopt").length;
}

/** Objects without those that stand in another one of them, and how many those are. */
export function outermost(names: readonly string[]): { readonly name: string; readonly inside: number }[] {
  const all = new Set(names);
  const roots = [...all].filter((name) => !ancestors(name).some((ancestor) => all.has(ancestor)));
  return roots
    .sort()
    .map((name) => ({ name, inside: names.filter((other) => other.startsWith(`${name}/`)).length }));
}

/** So many patterns may stand in one command line. */
const FEW_PATTERNS = 3;

/** The flags that name these objects, and nothing else of another section. */
export function flagsNaming(objects: readonly PlannedObject[], judged: Pick<Judged, "objects">): string {
  const stays = judged.objects.some(({ operation }) => operation !== "delete" && operation !== "release");
  if (!stays) return `--allow-delete "**"`;
  const roots = outermost(objects.map(({ name }) => name));
  const sections = [...new Set(roots.map(({ name }) => name.slice(0, name.lastIndexOf("/"))))];
  const patterns =
    roots.length <= FEW_PATTERNS ? roots.map(patternOf) : sections.map((section) => `${section}/**`);
  if (patterns.length > FEW_PATTERNS) return "--allow-delete with patterns of their names";
  return patterns.map((pattern) => `--allow-delete "${pattern}"`).join(" ");
}

function patternOf({ name, inside }: { readonly name: string; readonly inside: number }): string {
  return inside === 0 ? name : `${name}/**`;
}

function ancestors(name: string): string[] {
  const parts = name.split("/");
  return parts.map((_, index) => parts.slice(0, index).join("/")).slice(1);
}
