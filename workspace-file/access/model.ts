/** Who may do what in a workspace. Rights come from three places only: administrators, project members, permission sets. */

/** What a permission set says; undefined where that is not known. */
export interface Rights {
  readonly repository: string | undefined;
  readonly pipelines: string | undefined;
}

/** The parts of a project that a permission set speaks of, in the order in which they are told. */
export const rightAreas = ["repository", "pipelines"] as const;
export type RightArea = (typeof rightAreas)[number];

/** Levels from nothing to everything (spec, PermissionSet). */
export const levels: Readonly<Record<RightArea, readonly string[]>> = {
  repository: ["DENIED", "READ_ONLY", "READ_WRITE"],
  pipelines: ["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"],
};

export interface AccessPerson {
  /** E-mail address; where it is not known, `member <number>`. */
  readonly name: string;
  /** Undefined where nobody said or showed it. */
  readonly admin: boolean | undefined;
  readonly owner?: boolean;
}

export interface AccessSet extends Rights {
  readonly name: string;
}

export interface AccessProject {
  readonly name: string;
  /** Key of the permission set of each person, by the person's key. */
  readonly members: ReadonlyMap<string, string>;
  /** `members` are all there may be. */
  readonly complete: boolean;
}

/** A workspace as far as it is known. Keys stay the same when an object is renamed. */
export interface AccessModel {
  readonly people: ReadonlyMap<string, AccessPerson>;
  readonly permissionSets: ReadonlyMap<string, AccessSet>;
  readonly projects: ReadonlyMap<string, AccessProject>;
}

/** What a person is known by, however the address is written. */
export function personKey(name: string): string {
  return name.toLowerCase();
}

/** How a person is called of whom only the number is known. */
export function memberLabel(id: number): string {
  return `member ${id}`;
}

/** The permission set of a key; one that nothing is known of has its key as its name. */
export function permissionSetAt(model: AccessModel, key: string): AccessSet {
  return model.permissionSets.get(key) ?? { name: key, repository: undefined, pipelines: undefined };
}

/** How a person is called. */
export function personName(model: AccessModel, key: string): string {
  return model.people.get(key)?.name ?? key;
}
