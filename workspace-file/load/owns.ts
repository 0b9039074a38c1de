/** Ownership by name: what `owns` of a workspace file matches, of what it declares and of what else exists. */
import { formatCommonText, matchesPattern } from "../../resources/definition/name-pattern.js";
import { listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import { formatHint, type Problem } from "../../resources/definition/problems.js";
import { definitions } from "../../resources/index.js";
import type { Entry } from "./entries.js";

/** Patterns of logical names. A file without them may declare anything. */
export type Owns = readonly string[] | undefined;

/** Reports whether an object of this logical name is the file's own. */
export function isOwned(owns: Owns, name: string): boolean {
  return owns === undefined || owns.some((pattern) => matchesPattern(pattern, name));
}

/** Reports whether a list, such as `projects/web/variables`, may contain an object of the file's own. */
export function mayOwnIn(owns: Owns, list: string): boolean {
  return (
    owns === undefined ||
    owns.some((pattern) => formatCommonText([pattern, `${list}/${SOME_KEY}`]) !== undefined)
  );
}

/** Reports whether an object of this logical name, or anything in it, may be the file's own. */
export function mayOwnBelow(owns: Owns, name: string): boolean {
  return (
    owns === undefined || owns.some((pattern) => formatCommonText([pattern, `${name}/**`]) !== undefined)
  );
}

/**
 * Returns the name in the file for an object of the service, whose parents may have other keys there.
 * @param known returns the name of an object that has an entry
 */
export function mapToNameInFile(live: string, known: (live: string) => string | undefined): string {
  const steps = live.split("/");
  const name = known(live);
  if (name !== undefined || steps.length <= 2) return name ?? live;
  return [mapToNameInFile(steps.slice(0, -2).join("/"), known), ...steps.slice(-2)].join("/");
}

/** Reports whether everything that an object may contain is the file's own. */
export function ownsContents(owns: Owns, type: string, name: string): boolean {
  return listContents(type).every(
    ({ type: inner, document: { section } }) =>
      isOwned(owns, `${name}/${section}/${ANY_KEY}`) &&
      ownsContents(owns, inner, `${name}/${section}/${ANY_KEY}`),
  );
}

/** Returns the name of an object that both patterns match, if there can be one. */
export function findOwnedByBoth(one: string, other: string): string | undefined {
  return findName([one, other]);
}

/** Returns the problems of the patterns themselves, and of entries that they do not match. */
export function checkOwns(owns: readonly string[], entries: Iterable<Entry>): Problem[] {
  const problems = owns.flatMap((pattern, index): Problem[] =>
    findName([pattern]) === undefined ? [matchesNothing(pattern, index)] : [],
  );
  if (problems.length > 0) return problems;
  const foreign = new Set<Entry>();
  for (const entry of entries) {
    const { definition, name, path, parent, external, exclusiveSections } = entry;
    if (external) continue;
    if (!isOwned(owns, name)) {
      foreign.add(entry);
      // What is in it is not owned either, most of the time.
      if (parent && foreign.has(parent)) continue;
      const elsewhere =
        definition.document.form === "map"
          ? "write external: true if it is managed elsewhere"
          : "remove it if it is managed elsewhere";
      const message = `${name} is not in what this file owns (${owns.join(", ")}): ${elsewhere}, or add it to "owns"`;
      problems.push({ path, code: "owns", message, atKey: true });
      continue;
    }
    for (const section of Object.keys(exclusiveSections)) {
      if (isOwned(owns, `${name}/${section}/${ANY_KEY}`)) continue;
      const message =
        `exclusive: true removes ${section} that others have added, and this file does not own all of ${name}/${section}: ` +
        `add "${name}/**" to owns, or omit exclusive`;
      problems.push({ path: [...path, "exclusive"], code: "owns", message });
    }
  }
  return problems;
}

function matchesNothing(pattern: string, index: number): Problem {
  const sections = listKindsUnder(definitions, WORKSPACE).map(({ document }) => document.section);
  const [first = ""] = pattern.split("/");
  const remedy =
    (sections.includes(first) ? "" : formatHint(first, sections)) ||
    `: names are like groups/QA or projects/web/variables/REGION, and projects/web/** is a project with everything in it`;
  return { path: ["owns", index], code: "owns", message: `no object can be called "${pattern}"${remedy}` };
}

/** A key in a pattern. */
const SOME_KEY = "?*";
/** A key that no pattern matches but those for all keys. */
const ANY_KEY = "\u{F8FF}".repeat(50);

const listContents = (type: string) => listKindsUnder(definitions, type);

/** Patterns of all names that an object may have, the outer ones first. */
const FORMS: readonly string[] = listFormsIn(WORKSPACE, "");

function listFormsIn(type: string, parent: string): string[] {
  return listContents(type).flatMap(({ type: inner, document: { section } }) => {
    const form = `${parent}${section}/${SOME_KEY}`;
    return [form, ...listFormsIn(inner, `${form}/`)];
  });
}

/** Returns the name of an object that all patterns match, if there can be one. */
function findName(patterns: readonly string[]): string | undefined {
  for (const form of FORMS) {
    const name = formatCommonText([...patterns, form]);
    if (name !== undefined) return name;
  }
  return undefined;
}
