/** Lint rule: a branch or tag has a name that no push has. */
import type { Rule } from "../rule.js";

export const impossibleRef: Rule = {
  code: "impossible-ref",
  severity: "warning",
  description:
    "A branch or tag has a name that Git does not allow, or that contains refs/heads/, so perhaps no push starts the pipeline.",
  remedy: "Write `refType: WILDCARD` for a pattern. Otherwise correct the name.",
  *check(linted) {
    for (const pipeline of linted.of("Pipeline")) {
      const { refType } = pipeline.written;
      const name = linted.text(pipeline, "refName");
      if (name === undefined || (refType !== "BRANCH" && refType !== "TAG")) continue;
      const noun = refType.toLowerCase();
      const short = /^refs\/(?:heads|tags)\/(.+)$/.exec(name)?.[1];
      if (short !== undefined && isRefName(short)) {
        const message = `the name of a ${noun} has no refs/ before it, so it is not known whether a push starts this: write ${short}`;
        yield linted.atArg(pipeline, "refName", message);
        continue;
      }
      if (/[*?[]/.test(name)) {
        const message = `no ${noun} can be called "${name}": a pattern needs refType: WILDCARD`;
        yield linted.atArg(pipeline, "refName", message);
      } else if (!isRefName(name)) {
        yield linted.atArg(pipeline, "refName", `no ${noun} can be called "${name}" in Git`);
      }
    }
  },
};

/** Applies the rules of git-check-ref-format to a name below refs/heads or refs/tags. */
function isRefName(name: string): boolean {
  // eslint-disable-next-line no-control-regex -- Git forbids control characters
  if (/[\u0000-\u0020\u007f~^:\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/.test(name) || name === "@") return false;
  return (
    name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock")) && !name.startsWith("-")
  );
}
