/** Where things come from, in words for people. */
import { partAt, placeOf, type PropertyPath } from "../../../schema/index.js";
import type { Snapshot } from "./draft.js";

/** `workspace.yaml:12` */
export function placeAt({ tree }: Snapshot, path: PropertyPath): string {
  const { file, line } = placeOf((partAt(tree, path) ?? tree).at);
  return `${file}:${line}`;
}
