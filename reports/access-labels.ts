/** Labels of the access matrix. */
import type { EffectiveRow } from "../workspace-file/access/access.js";

const ADMINISTRATOR = "administrator";
/** A level that is not known. */
const NOT_KNOWN = "not known";

type Role = Pick<EffectiveRow, "admin" | "owner">;

/** Describes a person's role in the workspace. */
export function labelInWorkspace({ admin, owner }: Role): string {
  if (owner) return admin ? `owner, ${ADMINISTRATOR}` : "owner";
  if (admin === undefined) return `member or ${ADMINISTRATOR}`;
  return admin ? ADMINISTRATOR : "member";
}

/** Describes the access to a project of which the person is not a member. */
export function withoutMembership({ admin, owner }: Role): string {
  if (admin) return `as ${ADMINISTRATOR}`;
  return owner ? "as owner" : "not a member";
}

interface AccessCell {
  readonly repository: string;
  readonly pipelines: string;
  readonly permissionSet: string;
}

/** Returns the rights in one project; undefined without membership. */
export function findCell(row: EffectiveRow, project: string): AccessCell | undefined {
  const rights = row.projects[project];
  if (rights === undefined) return undefined;
  const { repository = NOT_KNOWN, pipelines = NOT_KNOWN, permissionSet = "" } = rights;
  return { repository, pipelines, permissionSet };
}

/** Levels of both areas in one cell: `READ_WRITE / RUN_ONLY`. */
export function formatLevels({ repository, pipelines }: AccessCell): string {
  return repository === NOT_KNOWN && pipelines === NOT_KNOWN ? NOT_KNOWN : `${repository} / ${pipelines}`;
}
