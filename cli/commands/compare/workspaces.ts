/** Determines whether two sources describe the same workspace, where ids and names mean the same. */
import type { SourceFacts } from "./object.js";

/** @returns undefined when it is unknown, because a file need not name its workspace */
export function areOne(one: SourceFacts, other: SourceFacts): boolean | undefined {
  if (differ(one.workspace, other.workspace) || differ(one.baseUrl, other.baseUrl)) return false;
  if (one.baseUrl !== undefined && other.baseUrl !== undefined) return one.workspace === other.workspace;
  // A file names the connection through which it is applied.
  if (one.connection === undefined || other.connection === undefined) return undefined;
  return one.connection === other.connection;
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}
