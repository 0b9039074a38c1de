/** Defines `compare-exceptions.yaml`: intended differences that are suppressed, each with its reason. */
import { readSuppressionFile } from "../../reporters/suppressions.js";
import { comparedClasses } from "./classes.js";

/** Its name in the current folder. */
export const EXCEPTIONS_FILE = "compare-exceptions.yaml";

export const exceptionsFile = readSuppressionFile({
  noun: "exceptions file",
  option: "--exceptions",
  list: ["exceptions", "Intended differences."],
  meta: {
    title: "Exceptions of comparisons",
    description: "Findings of `workspacectl compare` that are ignored.",
  },
  classes: comparedClasses,
  usual: "all of them",
});
