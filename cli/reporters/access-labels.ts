/** Labels of the access matrix. */
import type { EffectiveRow } from "../../workspace-file/access/index.js";

export const ADMINISTRATOR = "administrator";
export const NO_MEMBER = "-";
/** A level that is not known. */
const NOT_KNOWN = "?";

/** Describes a person's role in the workspace. */
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

/** Returns the rights in one project; undefined without membership. */
export function cellOf(row: EffectiveRow, project: string): AccessCell | undefined {
  const rights = row.projects[project];
  if (rights === undefined) return undefined;
  const { repository = NOT_KNOWN, pipelines = NOT_KNOWN, permissionSet = "" } = rights;
  return { repository, pipelines, permissionSet };
}
