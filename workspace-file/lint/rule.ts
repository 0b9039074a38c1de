/** Lint rules. Each one finds what is valid in a workspace file but usually a mistake. */
import type { RuleFinding } from "./finding.js";
import type { Linted } from "./lint-document.js";

export type LintSeverity = "error" | "warning" | "info";

/** Description of a lint code. */
export interface LintRuleFacts {
  /** Code in kebab-case, whose meaning never changes because files name it in comments. */
  readonly code: string;
  readonly severity: LintSeverity;
  /** Explanation in one sentence. */
  readonly description: string;
  /** What to do about it. */
  readonly remedy: string;
}

export interface Rule extends LintRuleFacts {
  check(linted: Linted): Iterable<RuleFinding> | Promise<Iterable<RuleFinding>>;
}
