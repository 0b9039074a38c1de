/** Lint rule: the excluded paths of a push have no effect. */
import type { Rule } from "../rule.js";

export const ineffectiveExcludes: Rule = {
  code: "ineffective-excludes",
  severity: "warning",
  description: "The excluded paths of a push have no effect.",
  remedy: "Set `useCustomGitignore: true`. Without it, the repository's own ignore file is used.",
  *check(linted) {
    for (const action of linted.of("Action")) {
      const { type, useCustomGitignore, deploymentExcludes, deploymentIncludes } = action.written;
      if (type === "PUSH" && Array.isArray(deploymentExcludes) && useCustomGitignore !== true)
        yield linted.atArg(
          action,
          "deploymentExcludes",
          "this has no effect without useCustomGitignore: true",
        );
      if (Array.isArray(deploymentIncludes) && !Array.isArray(deploymentExcludes))
        yield linted.atArg(
          action,
          "deploymentIncludes",
          "exceptions without deploymentExcludes have no effect",
        );
    }
  },
};
