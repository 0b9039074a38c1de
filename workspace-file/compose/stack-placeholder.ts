/** Texts with a special meaning for Pulumi's engine, which cannot be passed to it as plain texts. */
import { describeEngineText } from "../../diff/values.js";
import { createDiagnostic, type Diagnostic } from "../syntax/diagnostics.js";
import type { Position } from "../syntax/source.js";
import type { Tree } from "../syntax/tree.js";

/** Reports every such text in a document. Shared parts are reported once. */
export function listEngineWords(tree: Tree): Diagnostic[] {
  const problems: Diagnostic[] = [];
  const visited = new Set<Tree>();
  const found = (at: Position, text: string, isKey = false) => {
    const meaning = describeEngineText(text, isKey);
    if (meaning === undefined) return;
    const message = `"${text}" stands for ${meaning} in Pulumi's engine: use another string`;
    problems.push(createDiagnostic(at, { code: "not-allowed-value", message }));
  };
  const visit = (part: Tree) => {
    if (visited.has(part)) return;
    visited.add(part);
    if (part.kind === "list") part.items.forEach(visit);
    if (part.kind === "map") {
      for (const [key, member] of part.entries) {
        found(member.key, key, true);
        visit(member.value);
      }
    }
    if (part.kind === "leaf" && typeof part.value === "string") found(part.at, part.value);
  };
  visit(tree);
  return problems;
}
