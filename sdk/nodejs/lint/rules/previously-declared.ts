import type { Rule } from "../rule.js";

export const previouslyDeclared: Rule = {
  code: "previously-declared",
  severity: "error",
  description: "An entry was called before what another entry is called now: both claim the same object.",
  remedy: "Take the name out of `previously` once the rename is done, or rename the other entry.",
  examples: {
    bad: `version: 1
variables:
  REGION: us-east
  HOME_REGION: { value: us-west, previously: [REGION] }
`,
    good: `version: 1
variables:
  HOME_REGION: { value: us-west, previously: [REGION] }
`,
  },
  *check(linted) {
    const names = new Set(linted.entries.map(({ name }) => name));
    const claimed = new Map<string, string>();
    for (const entry of linted.entries) {
      for (const former of entry.formerNames) {
        const other = names.has(former) ? former : claimed.get(former);
        claimed.set(former, entry.name);
        if (other !== undefined)
          yield linted.atArg(
            entry,
            "previously",
            `${former} is claimed by ${other} too: which of them is it?`,
          );
      }
    }
  },
};
