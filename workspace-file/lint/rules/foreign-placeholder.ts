/** Lint rule: a value contains a placeholder of another tool, which nothing here fills in. */
import { findPartAt } from "../../syntax/tree.js";
import type { Rule } from "../rule.js";

/** `${{ secrets.KEY }}` of GitHub, `${var.name}` and `${env.NAME}` of Terraform and others. */
const PLACEHOLDER = /\$\{\{[^{}]*\}\}|\$\{[A-Za-z_]\w*\.[\w.-]+\}/;

export const foreignPlaceholder: Rule = {
  code: "foreign-placeholder",
  severity: "warning",
  description:
    "The value of a variable or a secret contains a placeholder of another tool, and is sent as it stands.",
  remedy: "Use `${env:NAME}`, or `${config:key}` from the stack's configuration. Scripts are not checked.",
  *check(linted) {
    for (const entry of linted.entries) {
      const { definition, written } = entry;
      const scalar = definition.document?.scalar;
      const args = new Set([...(scalar === undefined ? [] : [scalar]), ...definition.secret(written)]);
      for (const arg of args) {
        const leaf = findPartAt(linted.tree, linted.pathOf(entry, arg));
        const text = leaf?.kind === "leaf" ? (leaf.written ?? leaf.value) : undefined;
        const [found] =
          typeof text === "string" && !text.includes("\n") ? (PLACEHOLDER.exec(text) ?? []) : [];
        if (found === undefined) continue;
        yield linted.atArg(entry, arg, `${found} is a placeholder of another tool, and is sent as it stands`);
      }
    }
  },
};
