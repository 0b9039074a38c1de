/** Compares two access models. */
import { type AccessModel, getPermissionSetAt, levels, type RightArea, rightAreas } from "./model.js";

/** Impact on a person, or on everyone who is not known by name. */
export interface Impact {
  readonly kind:
    | "invited"
    | "removed"
    | "kept"
    | "administrator"
    | "no-administrator"
    | "gains"
    | "loses"
    | "joins"
    | "leaves"
    | "leaves-group"
    | "others-leave"
    | "unknown";
  /** Undefined for everyone who is not known by name. */
  readonly person?: string;
  readonly project?: string;
  readonly group?: string;
  readonly area?: RightArea;
  /** Level that is gained or lost. */
  readonly level?: string;
  /** Level before or after the change, if there is one. */
  readonly other?: string;
  readonly cause?: string;
  /** Permission set of people who are not known by name. */
  readonly permissionSet?: string;
  /** Whether the person is and stays an administrator. */
  readonly admin?: boolean;
}

/**
 * Returns the differences between two models by person. Groups are not included, because they grant nothing.
 * @param staying reasons for people who always stay (the caller, the owner), by their key
 */
export function listImpacts(
  before: AccessModel,
  after: AccessModel,
  staying: ReadonlyMap<string, string> = new Map(),
): Impact[] {
  const keys = [...new Set([...before.people.keys(), ...after.people.keys()])].sort();
  return [
    ...keys.flatMap((key) => comparePerson(key, before, after, staying.get(key))),
    ...compareOthers(before, after),
  ];
}

function comparePerson(
  key: string,
  before: AccessModel,
  after: AccessModel,
  stays: string | undefined,
): Impact[] {
  const [was, is] = [before.people.get(key), after.people.get(key)];
  const person = is?.name ?? was?.name ?? key;
  if (is === undefined && stays !== undefined) return [{ kind: "kept", person, cause: stays }];
  const found: Impact[] = [];
  // A right that is no longer declared is removed by the update.
  const isAdmin = is?.admin;
  if (was === undefined && !is?.isKnownLater) found.push({ kind: "invited", person });
  if (is === undefined) found.push({ kind: "removed", person });
  if (isAdmin === true && was?.admin !== true) found.push({ kind: "administrator", person });
  if (was?.admin === true && isAdmin !== true) found.push({ kind: "no-administrator", person });
  const admin = was?.admin === true && isAdmin === true;
  const projects = [...new Set([...before.projects.keys(), ...after.projects.keys()])];
  for (const project of projects) {
    const changes = compareProject(key, project, before, after);
    found.push(...changes.map((change) => ({ ...change, person, ...(admin ? { admin } : {}) })));
  }
  return found;
}

function compareProject(key: string, project: string, before: AccessModel, after: AccessModel): Impact[] {
  const [was, is] = [before.projects.get(project), after.projects.get(project)];
  const name = is?.name ?? was?.name ?? project;
  const [oldSet, newSet] = [was?.members.get(key), after.people.has(key) ? is?.members.get(key) : undefined];
  if (oldSet === undefined && newSet === undefined) return [];
  const from = oldSet === undefined ? undefined : getPermissionSetAt(before, oldSet);
  const to = newSet === undefined ? undefined : getPermissionSetAt(after, newSet);
  const cause = (): string | undefined => {
    if (was === undefined) return "the project is new";
    if (is === undefined) return "the project is deleted";
    if (from === undefined) return to && `with permission set ${to.name}`;
    if (to === undefined) return after.people.has(key) ? "no longer a member of the project" : undefined;
    return oldSet === newSet
      ? `permission set ${to.name} changes`
      : `permission set ${to.name} instead of ${from.name}`;
  };
  const because = cause();
  const all = rightAreas.flatMap((area) =>
    compareArea(area, from && { level: from[area] }, to && { level: to[area] }),
  );
  const withPlace = all.map((one) => ({ ...one, project: name, ...(because ? { cause: because } : {}) }));
  if (withPlace.length > 0) return withPlace;
  const where = { project: name, ...(because ? { cause: because } : {}) };
  if (from === undefined) return [{ kind: "joins", ...where }];
  if (to === undefined) return [{ kind: "leaves", ...where }];
  const blind = rightAreas.some((area) => from[area] === undefined || to[area] === undefined);
  return blind && oldSet !== newSet ? [{ kind: "unknown", ...where }] : [];
}

interface Side {
  readonly level: string | undefined;
}

/** Returns the change in an area. A person who is not a member has no level there. */
function compareArea(area: RightArea, from: Side | undefined, to: Side | undefined): Impact[] {
  if (from?.level === to?.level) return [];
  if ((from && from.level === undefined) || (to && to.level === undefined)) {
    // One of the levels is unknown: it may be higher or lower than the other.
    const other = to?.level ?? from?.level;
    return [{ kind: "unknown", area, ...(other === undefined ? {} : { other }) }];
  }
  const [low, high] = [rankLevel(area, from?.level), rankLevel(area, to?.level)];
  if (low === high) return [];
  const [kind, level, other] =
    high > low ? (["gains", to?.level, from?.level] as const) : (["loses", from?.level, to?.level] as const);
  return [
    { kind, area, ...(level ? { level } : {}), ...(other && rankLevel(area, other) > 0 ? { other } : {}) },
  ];
}

/** Returns the rank of a level. No membership is equivalent to DENIED. */
function rankLevel(area: RightArea, level: string | undefined): number {
  return Math.max(0, level === undefined ? 0 : levels[area].indexOf(level));
}

/** Returns the impacts on people who are not known by name. */
function compareOthers(before: AccessModel, after: AccessModel): Impact[] {
  const projects = [...before.projects]
    .filter(([key, { complete }]) => !after.projects.has(key) && !complete)
    .map(([, { name }]): Impact => ({
      kind: "others-leave",
      project: name,
      cause: "the project is deleted",
    }));
  const sets = [...after.permissionSets].flatMap(([key, to]) => {
    const from = before.permissionSets.get(key);
    if (from === undefined) return [];
    return rightAreas.flatMap((area) =>
      compareArea(area, { level: from[area] }, { level: to[area] }).map((one) => ({
        ...one,
        permissionSet: to.name,
      })),
    );
  });
  return [...projects, ...sets];
}
