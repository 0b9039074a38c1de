/** How much of a workspace is exported: which kinds, which projects, which names. */
import picomatch from "picomatch";
import { kindsUnder } from "../../../provider/definition/placement.js";
import { unescapeKey } from "../../../provider/definition/logical-name.js";
import {
  definitions,
  type Definition,
  type DiscoveredObject,
  type DiscoveryOptions,
} from "../../../provider/index.js";
import { CliError } from "../../errors.js";
import { costlyPattern } from "../../../workspace-file/index.js";
import { matchesPattern } from "../../options/pattern.js";

export interface ScopeOptions {
  /** Types or sections; without, all but what comes and goes with people's work. */
  readonly kinds?: readonly string[];
  /** Patterns of projects. */
  readonly project?: string;
  /** Pattern of names: these objects, and what is in them. */
  readonly name?: string;
}

export interface Scope extends Pick<DiscoveryOptions, "enters" | "opens"> {
  readonly includes: (object: Pick<DiscoveredObject, "definition" | "name">) => boolean;
}

/** Section of the entries that `--project` speaks of. */
const PROJECTS = "projects";

const exportable = definitions.filter(({ document, ephemeral }) => document !== undefined && !ephemeral);

export function scopeOf({ kinds, project, name }: ScopeOptions): Scope {
  const wanted = new Set((kinds ? kinds.flatMap((word) => kindsOf(word)) : usual()).map(({ type }) => type));
  const inProject = matcher(project);
  const named = matcher(name);
  const section = (type: string) => exportable.find((one) => one.type === type)?.document?.section;
  return {
    enters: (type) => wanted.has(type) || below(type).some((one) => wanted.has(one)),
    opens: (type, key) => section(type) !== PROJECTS || inProject(key),
    includes({ definition, name: path }) {
      const keys = path
        .split("/")
        .filter((_part, index) => index % 2 === 1)
        .map(unescapeKey);
      if (!wanted.has(definition.type) || !keys.some(named)) return false;
      return !path.startsWith(`${PROJECTS}/`) || inProject(keys[0] ?? "");
    },
  };
}

function usual(): Definition[] {
  return exportable.filter(({ document }) => document?.transient !== true);
}

/** The types that sections or types of a list stand for. @throws {CliError} with all there are */
export function typesNamed(words: readonly string[], option: string): ReadonlySet<string> {
  return new Set(words.flatMap((word) => kindsOf(word, option)).map(({ type }) => type));
}

function kindsOf(word: string, option = "--kinds"): Definition[] {
  const same = (text: string | undefined) => text?.toLowerCase() === word.toLowerCase();
  const found = exportable.filter(({ type, document }) => same(type) || same(document?.section));
  if (found.length > 0) return found;
  const words = [...new Set(exportable.flatMap(({ type, document }) => [document?.section ?? type, type]))];
  throw new CliError(`"${word}" is no kind of object: ${option} takes ${words.join(", ")}`);
}

/** Types of all that can stand in an object. */
function below(type: string): string[] {
  return kindsUnder(definitions, type).flatMap((kind) => [kind.type, ...below(kind.type)]);
}

/** Names may hold anything, slashes too: a star stands for any of it. */
function matcher(pattern: string | undefined): (key: string) => boolean {
  if (pattern === undefined) return () => true;
  const flat = pattern.replaceAll("/", ":");
  // Names can be long: what needs no regular expression does without.
  if (!/[{}()[\]!+@\\]/.test(pattern))
    return (key) => matchesPattern(flat.replaceAll(/\*+/g, "**"), key.replaceAll("/", ":"));
  const costly = costlyPattern(pattern);
  if (costly !== undefined) throw new CliError(`the pattern "${pattern}" ${costly}`);
  const matches = picomatch(flat, { dot: true, bash: true });
  return (key) => matches(key.replaceAll("/", ":"));
}
