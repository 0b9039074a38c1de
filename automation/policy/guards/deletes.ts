/** Deletions of a plan, and which of them are explicitly allowed. */
import { isWithin, LogicalName } from "../../../resources/definition/logical-name.js";
import { matchesPattern } from "../../../resources/definition/name-pattern.js";
import type { GuardSettings } from "../../../workspace-file/index.js";
import type { PlannedObject } from "../../plan/planned-objects.js";
import type { Allowances, Judged } from "./types.js";

/** Returns the objects that the plan deletes or replaces. */
export function listDeletes({ objects }: Pick<Judged, "objects">): PlannedObject[] {
  return objects.filter(({ operation }) => operation === "delete" || operation === "replace");
}

/** Returns the deletions that neither `allowDelete` of the file nor a flag allows. */
export function listUnnamedDeletes(judged: Judged): PlannedObject[] {
  const { allowances } = judged;
  const projects = listProjectsNamed(judged).map(({ name }) => name);
  return listDeletes(judged).filter(
    ({ name, protected: isProtected }) =>
      !(allowances.includeProtected && isProtected) &&
      !allowsDeletion(judged, name) &&
      !projects.some((project) => isWithin(name, project)),
  );
}

/** Reports whether a pattern of the file or of an option names an object for deletion. */
export function allowsDeletion(
  { settings, allowances }: Pick<Judged, "settings" | "allowances">,
  name: string,
): boolean {
  const patterns = [...(settings.allowDelete ?? []), ...(allowances.allowDelete ?? [])];
  return patterns.some((pattern) => matchesPattern(pattern, name));
}

/** Type whose deletion removes all contained objects and their history. */
const PROJECT = "Project";

/** Whether an option allows the deletion of a protected object. */
export function matchNamedForDeletion(
  allowances: Allowances,
  settings: GuardSettings,
): (object: Pick<PlannedObject, "type" | "name">) => boolean {
  const { deleteProject = [], ignoreGuard = [] } = allowances;
  return ({ type, name }) => {
    if (type !== PROJECT)
      return ignoreGuard.includes("protected-object") || allowsDeletion({ settings, allowances }, name);
    const isAllowed = settings.projectDeletion === "allow" || ignoreGuard.includes("project-deletion");
    return isAllowed || deleteProject.includes(new LogicalName(name).key);
  };
}

/** Returns the projects that are deleted or replaced. */
export function listDeletedProjects(judged: Pick<Judged, "objects">): PlannedObject[] {
  return listDeletes(judged).filter(({ type }) => type === PROJECT);
}

/** Returns those that `--include-protected` or `--delete-project` allows, by key in the file or name in the service. */
export function listProjectsNamed(judged: Judged): PlannedObject[] {
  const { deleteProject: named = [], includeProtected } = judged.allowances;
  if (includeProtected) return listDeletedProjects(judged);
  return listDeletedProjects(judged).filter((project) =>
    listNamesOfProject(project).some((n) => named.includes(n)),
  );
}

export function listNamesOfProject({ name, before }: PlannedObject): string[] {
  const { key } = new LogicalName(name);
  const called = before?.["projectName"] ?? before?.["name"];
  return [...new Set([key, ...(typeof called === "string" ? [called] : [])])];
}

/** Returns the number of managed objects before the plan. */
export function countManagedBefore({ objects }: Pick<Judged, "objects">): number {
  return objects.filter(({ operation, before }) => before !== undefined && operation !== "adopt").length;
}

/** Returns the objects that no other one of them contains, and how many objects each contains. */
export function keepOutermost(
  names: readonly string[],
): { readonly name: string; readonly inside: number }[] {
  const all = new Set(names);
  const roots = [...all].filter(
    (name) => !new LogicalName(name).ancestors.some((ancestor) => all.has(ancestor)),
  );
  return roots
    .sort()
    .map((name) => ({ name, inside: names.filter((other) => other.startsWith(`${name}/`)).length }));
}

/** Maximum number of patterns in a suggested command line. */
const FEW_PATTERNS = 3;

type Named = Pick<PlannedObject, "name">;

/** Returns the flags that allow the deletion of these objects, and of no other section. */
export function formatFlagsNaming(objects: readonly Named[], judged: Pick<Judged, "objects">): string {
  const patterns = listPatternsNaming(objects, judged);
  if (patterns === undefined) return "--allow-delete with patterns of their names";
  return patterns.map((pattern) => `--allow-delete "${pattern}"`).join(" ");
}

/** Returns the setting of the file that allows the same; undefined if there are too many objects. */
export function formatSettingNaming(
  objects: readonly Named[],
  judged: Pick<Judged, "objects">,
): string | undefined {
  const patterns = listPatternsNaming(objects, judged);
  return patterns && allowDeleteSetting(patterns);
}

export function allowDeleteSetting(patterns: readonly string[]): string {
  return `guards: { allowDelete: [${patterns.map((pattern) => JSON.stringify(pattern)).join(", ")}] }`;
}

/** Returns undefined if there are too many. */
function listPatternsNaming(
  objects: readonly Named[],
  judged: Pick<Judged, "objects">,
): readonly string[] | undefined {
  const stays = judged.objects.some(({ operation }) => operation !== "delete" && operation !== "release");
  if (!stays) return ["**"];
  const roots = keepOutermost(objects.map(({ name }) => name));
  const sections = [...new Set(roots.map(({ name }) => new LogicalName(name).section))];
  const patterns =
    roots.length <= FEW_PATTERNS ? roots.map(buildPattern) : sections.map((section) => `${section}/**`);
  return patterns.length > FEW_PATTERNS ? undefined : patterns;
}

function buildPattern({ name, inside }: { readonly name: string; readonly inside: number }): string {
  return inside === 0 ? name : `${name}/**`;
}
