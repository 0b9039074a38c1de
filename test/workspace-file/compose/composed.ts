/** Composes documents for tests. */
import { expect } from "vitest";
import { compose } from "../../../workspace-file/compose/compose.js";
import { parseYaml } from "../../../workspace-file/syntax/parse.js";
import { getValue, type MapTree } from "../../../workspace-file/syntax/tree.js";

const parsed = (file: string, text: string) => parseYaml(file, text).tree as MapTree;

/** Composes a file with its includes and its overlays: the result, and the problems as `file:line: message`. */
export function composed(files: string | readonly string[], ...overlays: readonly string[]) {
  const { tree, problems } = compose(
    [files].flat().map((text, i) => parsed(`${"abc"[i]}.yaml`, text)),
    overlays.map((text, i) => parsed(`overlay${i || ""}.yaml`, text)),
  );
  return {
    result: getValue(tree),
    problems: problems.map(({ place, message }) => `${place.file}:${place.line}: ${message}`),
  };
}

export const resultOf = (files: string | readonly string[], ...overlays: readonly string[]) => {
  const { result, problems } = composed(files, ...overlays);
  expect(problems).toEqual([]);
  return result as Record<string, unknown>;
};
export const problemsOf = (files: string | readonly string[], ...overlays: readonly string[]) =>
  composed(files, ...overlays).problems;
