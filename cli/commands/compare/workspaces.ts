/** Whether two sides speak of the same workspace: then its numbers mean the same, and nothing is called otherwise. */
import type { SideFacts } from "./object.js";

/** Undefined: nobody can tell, since a file need not say which workspace it is for. */
export function areOne(one: SideFacts, other: SideFacts): boolean | undefined {
  if (differ(one.workspace, other.workspace) || differ(one.baseUrl, other.baseUrl)) return false;
  if (one.baseUrl !== undefined && other.baseUrl !== undefined) return one.workspace === other.workspace;
  // A file says through which connection it is applied.
  if (one.connection === undefined || other.connection === undefined) return undefined;
  return one.connection === other.connection;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
