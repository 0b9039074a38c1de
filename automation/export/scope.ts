/** Limits an export to kinds, projects and names. */
import picomatch from "picomatch";
import {
  type Definition,
  definitions,
  type DiscoveredObject,
  type DiscoveryOptions,
} from "../../provider/index.js";
import { escapeKey, LogicalName } from "../../resources/definition/logical-name.js";
import { matchesPattern } from "../../resources/definition/name-pattern.js";
import { listKindsUnder } from "../../resources/definition/placement.js";
import { findCostlyPattern } from "../../workspace-file/index.js";
import { isOwned, mayOwnBelow } from "../../workspace-file/load/owns.js";
import { AutomationError } from "../errors.js";

export interface ScopeOptions {
  /** Types or sections. Default: all except transient ones, such as branches. */
  readonly kinds?: readonly string[];
  /** Patterns of projects. */
  readonly project?: string;
  /** Pattern of names: matching objects, and what they contain. */
  readonly name?: string;
  /** Patterns of logical names that the file will own. */
  readonly owns?: readonly string[];
}

export interface ExportScope extends Pick<DiscoveryOptions, "enters" | "opens"> {
  readonly includes: (object: Pick<DiscoveredObject, "definition" | "name">) => boolean;
}

/** Section of the entries that `--project` selects. */
const PROJECTS = "projects";

const exportable = definitions.filter(({ document, ephemeral }) => document !== undefined && !ephemeral);

export function buildScope({ kinds, project, name, owns }: ScopeOptions): ExportScope {
  // Without --kinds, --project means the projects and what is in them, not the rest of the workspace.
  const all =
    project === undefined ? listUsualTypes() : listUsualTypes().filter(({ type }) => isInProjects(type));
  const wanted = new Set((kinds ? kinds.flatMap((word) => findKinds(word)) : all).map(({ type }) => type));
  const inProject = createMatcher(project);
  const named = createMatcher(name);
  const section = (type: string) => exportable.find((one) => one.type === type)?.document?.section;
  return {
    enters: (type) => wanted.has(type) || listTypesBelow(type).some((one) => wanted.has(one)),
    opens: (type, key) =>
      section(type) !== PROJECTS || (inProject(key) && mayOwnBelow(owns, `${PROJECTS}/${escapeKey(key)}`)),
    includes({ definition, name: path }) {
      const { keys } = new LogicalName(path);
      if (!wanted.has(definition.type) || !keys.some(named) || !isOwned(owns, path)) return false;
      if (!path.startsWith(`${PROJECTS}/`)) return project === undefined || kinds !== undefined;
      return inProject(keys[0] ?? "");
    },
  };
}

function listUsualTypes(): Definition[] {
  return exportable.filter(({ document }) => document?.transient !== true);
}

/** Types of the projects themselves and of all that they contain. */
function isInProjects(type: string): boolean {
  const roots = exportable.filter(({ document }) => document?.section === PROJECTS);
  return roots.some((root) => root.type === type || listTypesBelow(root.type).includes(type));
}

/** Resolves sections and types to types. @throws {AutomationError} that lists all kinds */
export function findTypesNamed(words: readonly string[], option: string): ReadonlySet<string> {
  return new Set(words.flatMap((word) => findKinds(word, option)).map(({ type }) => type));
}

function findKinds(word: string, option = "--kinds"): Definition[] {
  const same = (text: string | undefined) => text?.toLowerCase() === word.toLowerCase();
  const found = exportable.filter(({ type, document }) => same(type) || same(document?.section));
  if (found.length > 0) return found;
  const words = [...new Set(exportable.flatMap(({ type, document }) => [document?.section ?? type, type]))];
  throw new AutomationError(
    `"${word}" is not a kind of object`,
    `${option} accepts these: ${words.join(", ")}`,
  );
}

/** Types of all objects that an object of this type can contain. */
function listTypesBelow(type: string): string[] {
  return listKindsUnder(definitions, type).flatMap((kind) => [kind.type, ...listTypesBelow(kind.type)]);
}

/** Names may contain anything, including slashes: a star matches all of it. */
function createMatcher(pattern: string | undefined): (key: string) => boolean {
  if (pattern === undefined) return () => true;
  const flat = pattern.replaceAll("/", ":");
  // Names can be long, so a simple pattern is matched without a regular expression.
  if (!/[{}()[\]!+@\\]/.test(pattern))
    return (key) => matchesPattern(flat.replaceAll(/\*+/g, "**"), key.replaceAll("/", ":"));
  const costly = findCostlyPattern(pattern);
  if (costly !== undefined) throw new AutomationError(`the pattern "${pattern}" ${costly}`, costly);
  const matches = picomatch(flat, { dot: true, bash: true });
  return (key) => matches(key.replaceAll("/", ":"));
}
