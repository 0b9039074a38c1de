/**
 * Recognizes a kind of files by its keys at the top. Messages quote the lines of such files only: a path may lead to something else,
 * such as the credentials that a job has written into the checkout.
 */
import { formatHint } from "../../resources/definition/problems.js";

/** Keys that files of many kinds have. */
const COMMON = ["version", "name", "description"];

/** Number of keys in a message. */
const SHOWN = 6;

/** Reports whether a file with these keys at the top is of the kind that has the known ones. */
export function isRecognized(keys: readonly string[], known: readonly string[]): boolean {
  const exact = keys.filter((key) => known.includes(key) || /^(x-|\$|<<$)/.test(key));
  const near = keys.filter((key) => !exact.includes(key) && formatHint(key, known) !== "");
  const fitting = exact.length + near.length;
  if (exact.length > 0 && fitting === keys.length) return true;
  return exact.some((key) => !COMMON.includes(key)) && fitting * 2 >= keys.length;
}

/** Explains that a file is of another kind. */
export function formatUnrecognized(known: readonly string[]): string {
  const some = known.length > SHOWN ? [...known.slice(0, SHOWN), "..."] : known;
  return `this is another kind of file than expected, so its contents are not shown: pass one with some of these keys at the top: ${some.join(", ")}`;
}
