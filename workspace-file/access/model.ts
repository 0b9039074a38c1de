/** Access model of a workspace. Only administrator rights, project membership and permission sets grant access. */
import { canonicalize } from "../../resources/index.js";

/** Levels of a permission set, as far as they are known. */
export interface Rights {
  readonly repository: string | undefined;
  readonly pipelines: string | undefined;
}

/** Areas of a project that a permission set covers, in the order of reports. */
export const rightAreas = ["repository", "pipelines"] as const;
export type RightArea = (typeof rightAreas)[number];

/** Levels in ascending order (spec, PermissionSet). */
export const levels: Readonly<Record<RightArea, readonly string[]>> = {
  repository: ["DENIED", "READ_ONLY", "READ_WRITE"],
  pipelines: ["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"],
};

export interface AccessPerson {
  /** E-mail address, or `member <id>` where it is unknown, or what refers to the person. */
  readonly name: string;
  /** Undefined where it is unknown. */
  readonly admin: boolean | undefined;
  readonly owner?: boolean;
  /** The person may be another one of the model, or be a member already. */
  readonly isKnownLater?: boolean;
}

export interface AccessSet extends Rights {
  readonly name: string;
}

export interface AccessProject {
  readonly name: string;
  /** Keys of the members' permission sets, by the key of the person. */
  readonly members: ReadonlyMap<string, string>;
  /** Whether `members` contains all members. */
  readonly complete: boolean;
}

/** Workspace as far as it is known. Keys do not change with a rename. */
export interface AccessModel {
  readonly people: ReadonlyMap<string, AccessPerson>;
  readonly permissionSets: ReadonlyMap<string, AccessSet>;
  readonly projects: ReadonlyMap<string, AccessProject>;
}

/** Returns the key of a person, independent of how the address is spelled. */
export function normalizePerson(name: string): string {
  return canonicalize("email", name);
}

/** Returns the name of a person of whom only the id is known. */
export function labelMember(id: number): string {
  return `member ${id}`;
}

/** Returns the permission set of a key. An unknown one has its key as its name. */
export function getPermissionSetAt(model: AccessModel, key: string): AccessSet {
  return model.permissionSets.get(key) ?? { name: key, repository: undefined, pipelines: undefined };
}
