/** Describes impacts in sentences. Equal impacts on several people or projects share one sentence. */
import type { Impact } from "./impact.js";
import type { RightArea } from "./model.js";

/** Maximum number of names in a sentence. Further ones are counted. */
const NAMED = 8;

export interface ImpactLine {
  readonly line: string;
  /** Severity: the smallest number is the most severe one. */
  readonly order: number;
}

/** Returns sentences such as `ann@example.com loses read/write access to the repository of web (keeps read-only; ...)`, most severe first. */
export function formatImpactLines(impacts: readonly Impact[]): string[] {
  return rankImpactLines(impacts).map(({ line }) => line);
}

/** The same with their severity, so that the sentences of several plans can be sorted. */
export function rankImpactLines(impacts: readonly Impact[]): ImpactLine[] {
  const phrases = groupByPhrase(impacts);
  const perPerson = groupBy(phrases, ({ person, verb, tail }) => JSON.stringify([person, verb, tail]));
  const withProjects = perPerson.map((all) => ({
    ...all[0]!,
    projects: all.flatMap(({ project }) => (project === undefined ? [] : [project])),
  }));
  const same = groupBy(withProjects, ({ person, verb, tail, projects }) =>
    JSON.stringify([person === undefined, verb, tail, projects]),
  );
  return same
    .flatMap(splitAdministrators)
    .map((all) => {
      const { verb, projects, tail, order } = all[0]!;
      const people = all.flatMap(({ person }) => (person === undefined ? [] : [person]));
      const several = people.length > 1;
      const subject = people.length === 0 ? "" : `${joinNames(people)} `;
      const where = projects.length === 0 ? "" : ` ${joinNames(projects)}`;
      return { order, line: `${subject}${conjugatePlural(verb, several)}${where}${tail}` };
    })
    .sort((a, b) => a.order - b.order);
}

/** Every new administrator is named: a sentence has as many as it may name. */
function splitAdministrators<P extends Phrase>(all: P[]): P[][] {
  if (all[0]?.order !== ADMINISTRATOR) return [all];
  const count = Math.ceil(all.length / NAMED);
  return Array.from({ length: count }, (_, index) => all.slice(index * NAMED, (index + 1) * NAMED));
}

interface Phrase {
  readonly person: string | undefined;
  readonly project: string | undefined;
  /** Part of the sentence before the project. */
  readonly verb: string;
  /** Part of the sentence after the project. */
  readonly tail: string;
  readonly order: number;
}

/** Combines changes of both areas of a project. */
function groupByPhrase(impacts: readonly Impact[]): Phrase[] {
  const together = groupBy(impacts, ({ kind, person, project, group, cause, area, permissionSet }) =>
    JSON.stringify([kind, person, project, group, cause, area === undefined, permissionSet]),
  );
  return together.map((all) => {
    const [{ kind, person, project, group, cause, admin, permissionSet }] = all as [Impact];
    const rights = formatRightsText(all.map(({ level = "", area }) => ({ level, area })));
    const before = all.flatMap(({ other: level, area }) => (level ? [{ level, area }] : []));
    const others =
      all.length > 1 ? formatRightsText(before) : before.map(({ level }) => formatLevelText(level)).join();
    const stays = admin ? "stays administrator" : undefined;
    const had = others === "" ? undefined : `${kind === "gains" ? "had" : "keeps"} ${others}`;
    const of = project === undefined ? "" : " of";
    const [order, verb, more] = chooseWording(kind, permissionSet, rights, of);
    const notes = [more, had, cause, stays].filter((note) => note !== undefined);
    return {
      person,
      project: project ?? group,
      verb,
      tail: notes.length === 0 ? "" : ` (${notes.join("; ")})`,
      order,
    };
  });
}

/** Returns rights such as `read/write access to the repository and the pipelines`. */
function formatRightsText(
  rights: readonly { readonly level: string; readonly area: RightArea | undefined }[],
): string {
  return groupBy(rights, ({ level }) => level)
    .map((all) => {
      const areas = all.map(({ area }) => `the ${area ?? ""}`).join(" and ");
      return `${formatLevelText(all[0]!.level)} access to ${areas}`.trim();
    })
    .join(" and ");
}

/** Returns a level of the API in words: `read/write`, `run-only`. */
function formatLevelText(level: string): string {
  return level === "READ_WRITE" ? "read/write" : level.toLowerCase().replaceAll("_", "-");
}

/** Severity of a new administrator, who may do everything. */
const ADMINISTRATOR = 0;

/** Severity, words and note of an impact. */
function chooseWording(
  kind: Impact["kind"],
  set: string | undefined,
  rights: string,
  of: string,
): [number, string, string?] {
  const who = set === undefined ? "" : `everyone else with permission set ${set} `;
  const theirs = set === undefined ? "" : " of their projects";
  switch (kind) {
    case "removed":
      return [1, "is removed from the workspace"];
    case "no-administrator":
      return [2, "is no longer an administrator"];
    case "administrator":
      return [ADMINISTRATOR, "becomes an administrator"];
    case "loses":
      return [3, `${who}loses ${rights}${of || theirs}`];
    case "leaves":
      return [4, "is no longer a member of"];
    case "others-leave":
      return [4, "everyone else who is a member loses access to"];
    case "leaves-group":
      return [9, "is no longer a member of group"];
    case "unknown":
      return [5, `${who}has other rights${of && " in"}`, "its levels are not known"];
    case "gains":
      return [rights.includes(formatLevelText("READ_WRITE")) ? 6 : 7, `${who}gains ${rights}${of || theirs}`];
    case "joins":
      return [8, "becomes a member of", "no level that is known"];
    case "invited":
      return [9, "is invited to the workspace"];
    case "kept":
      return [10, "stays in the workspace"];
  }
}

/** Returns the plural form of a verb. */
function conjugatePlural(verb: string, several: boolean): string {
  if (!several) return verb;
  return verb
    .replace(/^is /, "are ")
    .replace(/^has /, "have ")
    .replace(/^(become|lose|gain|stay)s /, "$1 ")
    .replace("are no longer an administrator", "are no longer administrators")
    .replace("become an administrator", "become administrators")
    .replace("become a member", "become members")
    .replace("no longer a member", "no longer members");
}

function joinNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length - NAMED;
  // Names a single further one instead of counting it.
  if (more > 1) return `${all.slice(0, NAMED).join(", ")} and ${more} more`;
  return all.join(", ");
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
