/** What a lint rule is: something that is allowed in a workspace file, and most often a mistake. */
import type { RuleFinding } from "./finding.js";
import type { Linted } from "./lint-document.js";

export type LintSeverity = "error" | "warning" | "info";

/** What there is to know of a code. */
export interface LintRuleFacts {
  /** In kebab-case. It never changes its meaning: files name it in their comments. */
  readonly code: string;
  readonly severity: LintSeverity;
  /** What is wrong, in one sentence. */
  readonly description: string;
  /** What to do about it. */
  readonly remedy: string;
}

export interface Rule extends LintRuleFacts {
  check(linted: Linted): Iterable<RuleFinding> | Promise<Iterable<RuleFinding>>;
}
