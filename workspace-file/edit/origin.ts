/** Formats locations for messages. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import { partAt } from "../syntax/tree.js";
import { locationOf } from "../syntax/source.js";
import type { DraftSnapshot } from "./draft.js";

/** Formats a location, such as `workspace.yaml:12`. */
export function formatLocation({ tree }: DraftSnapshot, path: PropertyPath): string {
  const { file, line } = locationOf((partAt(tree, path) ?? tree).at);
  return `${file}:${line}`;
}
