/** Paths of a fleet as reports and commands show them. */
import { join, relative, sep } from "node:path";
import { isAtOrBelow, resolveRealPath } from "../../../trust/checkout.js";
import type { FleetEntry } from "./fleet-file.js";

/**
 * Returns a function that shows the paths of a pinned entry in a text as those of the repository: the folder with the files of the commit
 * is gone when somebody reads the text.
 * @param escape how the text contains a path
 */
export function createPathMapper(
  { pinned }: Pick<FleetEntry, "pinned">,
  escape: (path: string) => string = (path) => path,
): (text: string) => string {
  if (pinned === undefined) return (text) => text;
  const { folder, root } = pinned;
  const here = relative(root, resolveRealPath(process.cwd()));
  const isInside = here !== "" && isAtOrBelow(root, resolveRealPath(process.cwd()));
  const places = new Set([folder, resolveRealPath(folder), relative(process.cwd(), folder)]);
  const pairs = [...places].flatMap((place): [string, string][] => [
    ...(isInside ? [[join(place, here) + sep, ""] as [string, string]] : []),
    [place + sep, here === "" ? "" : root + sep],
    [place, root],
  ]);
  return (text) => pairs.reduce((mapped, [from, to]) => mapped.replaceAll(escape(from), escape(to)), text);
}

/** As a text of JSON contains a path. */
export const escapeInJson = (path: string): string => JSON.stringify(path).slice(1, -1);
