/** Lint rule: an action uses the latest image, so the same run may behave differently tomorrow. */
import type { Rule } from "../rule.js";

export const latestImage: Rule = {
  code: "latest-image",
  severity: "warning",
  description: "An action uses the latest image, so the same run may behave differently tomorrow.",
  remedy: 'Set the version, such as `containerImageTag: "22"`.',
  *check(linted) {
    for (const action of linted.of("Action")) {
      if (linted.text(action, "containerImageTag") === "latest")
        yield linted.atArg(action, "containerImageTag", "specify the version of the image instead of latest");
    }
  },
};
