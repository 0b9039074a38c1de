/** One text for a whole set of findings: whoever keeps it knows at the next run whether there is anything new to tell. */
import { createHash } from "node:crypto";
import { stableJson } from "../../provider/index.js";

/**
 * Depends on what was found and what could not be read, not on when, where or in which order.
 * @param findings what makes each finding another one
 * @param unread what could not be read
 */
export function setFingerprint(findings: readonly unknown[], unread: readonly unknown[]): string {
  const text = [...findings.map(stableJson).toSorted(), "", ...unread.map(stableJson).toSorted()].join("\n");
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
