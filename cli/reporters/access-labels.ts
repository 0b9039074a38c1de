/** How the matrix says what a person may do. */
import type { EffectiveRow } from "../../workspace-file/access/index.js";

export const ADMINISTRATOR = "administrator";
export const NO_MEMBER = "-";
/** A level that neither the file nor the service tells. */
const NOT_KNOWN = "?";

/** The person's right in the whole workspace. */
export function inWorkspace({ admin, owner }: Pick<EffectiveRow, "admin" | "owner">): string {
  const words = [
    owner ? "owner" : "",
    admin ? ADMINISTRATOR : admin === undefined && !owner ? NOT_KNOWN : "",
  ];
  return words.filter((word) => word !== "").join(", ") || "member";
}

export interface AccessCell {
  readonly repository: string;
  readonly pipelines: string;
  readonly permissionSet: string;
}

/** Rights in one project; undefined for who is no member of it. */
export function cellOf(row: EffectiveRow, project: string): AccessCell | undefined {
  const rights = row.projects[project];
  if (rights === undefined) return undefined;
  const { repository = NOT_KNOWN, pipelines = NOT_KNOWN, permissionSet = "" } = rights;
  return { repository, pipelines, permissionSet };
}
