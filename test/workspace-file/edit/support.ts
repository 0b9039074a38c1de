/** Provides editable workspace files in a temporary folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Edit,
  type EditOptions,
  type EditResult,
  editWorkspace,
} from "../../../workspace-file/edit/edit.js";
import { Files } from "../document-files.js";

export class Edited extends Files {
  edit(edits: readonly Edit[], options: EditOptions = {}): EditResult {
    return editWorkspace(join(this.folder, "workspace.yaml"), { env: {}, ...options }, edits);
  }

  text(name = "workspace.yaml"): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** Returns the lines of all files that differ, before and after the edits. */
  diff(edits: readonly Edit[], options: EditOptions = {}): string[] {
    const { files, refused } = this.edit(edits, options);
    const changes = files.flatMap(({ path, before, after }) => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      return [...lines(before, after, `${name} -`), ...lines(after, before, `${name} +`)];
    });
    return [
      ...changes,
      ...refused.map(({ code, reason }) => `${code}: ${reason.replaceAll(`${this.folder}/`, "")}`),
    ];
  }
}

/** Returns lines of one text that the other one does not contain, or contains less often. */
function lines(of: string, other: string, mark: string): string[] {
  const left = other.split("\n");
  return of.split("\n").flatMap((line) => {
    const at = left.indexOf(line);
    if (at < 0) return [`${mark}${line}`];
    left.splice(at, 1);
    return [];
  });
}

export const set = (name: string, path: string | readonly (string | number)[], value: unknown): Edit => ({
  set: { name, path: typeof path === "string" ? [path] : path, value },
});
export const unset = (name: string, path: string | readonly (string | number)[]): Edit => ({
  unset: { name, path: typeof path === "string" ? [path] : path },
});
