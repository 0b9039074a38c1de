/** Where things come from, in words for people. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import { partAt } from "../syntax/tree.js";
import { placeOf } from "../syntax/source.js";
import type { Snapshot } from "./draft.js";

/** `workspace.yaml:12` */
export function placeAt({ tree }: Snapshot, path: PropertyPath): string {
  const { file, line } = placeOf((partAt(tree, path) ?? tree).at);
  return `${file}:${line}`;
}
