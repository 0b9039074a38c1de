/** One text for a whole set of findings: whoever keeps it knows at the next run whether there is anything new to tell. */
import { createHash } from "node:crypto";
import { stableJson } from "../../provider/index.js";
import type { Finding, Incomplete } from "./model.js";

/**
 * Depends on what was found and what could not be read, not on when, where or in which order.
 * @param lasting whether fingerprints of secrets are the same at every run
 */
export function setFingerprint(
  findings: readonly Finding[],
  incomplete: readonly Incomplete[],
  lasting: boolean = true,
): string {
  const found = findings.map(({ id, class: of, declared, live, operation, secret }) => {
    // Of what nobody declared, its being there is the finding.
    const values = of === "added" || (secret && !lasting) ? [] : [declared ?? null, live ?? null];
    return stableJson([id, operation ?? null, ...values]);
  });
  const unread = incomplete.map(({ type, name, list }) => stableJson([type, name ?? null, list]));
  const text = [...found.toSorted(), "", ...unread.toSorted()].join("\n");
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
