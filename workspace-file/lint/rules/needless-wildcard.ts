/** Lint rule: a pipeline runs on every push to a wildcard that matches every branch and tag, or only one. */
import type { Entry } from "../../load/entries.js";
import type { Linted } from "../lint-document.js";
import type { Rule } from "../rule.js";

export const needlessWildcard: Rule = {
  code: "needless-wildcard",
  severity: "warning",
  description: "A pipeline runs on every push to a wildcard that matches every branch and tag, or only one.",
  remedy: "Restrict it (`feature/*`), or specify the branch with `refType: BRANCH`.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      const message = findProblem(linted, pipeline);
      if (message !== undefined) yield linted.atArg(pipeline, "refName", message);
    }
  },
};

function findProblem(linted: Linted, pipeline: Entry): string | undefined {
  const { triggerMode, refType } = pipeline.written;
  const name = linted.text(pipeline, "refName");
  if (triggerMode !== "ON_EVERY_PUSH" || refType !== "WILDCARD" || name === undefined) return undefined;
  if (/^\*+$/.test(name)) return "every push to any branch starts a run: narrow the wildcard";
  // A name with other signs may be a pattern in another language, and one of a full ref is not known to match.
  if (/^[\w./-]+$/.test(name) && !name.startsWith("refs/"))
    return "this wildcard names a single branch: write refType: BRANCH";
  return undefined;
}
