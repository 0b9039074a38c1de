/** Fingerprints of values and of sets of findings. */
import { createHmac } from "node:crypto";
import { hashSha256 } from "./digest.js";
import { stringifyStably } from "./values.js";

/**
 * A keyed fingerprint of one value, so that secrets can be compared without being shown.
 * Twelve hexadecimal digits are enough to distinguish the values of one workspace.
 */
export function fingerprint(key: string, value: unknown): string {
  const text = typeof value === "number" ? String(value) : value;
  const hash = createHmac("sha256", Buffer.from(key, "hex")).update(stringifyStably(text)).digest("hex");
  return `hmac:${hash.slice(0, 12)}`;
}

/**
 * One fingerprint of a set of findings, which shows the next run whether anything is new. It depends on the findings and on what could
 * not be read, but not on time, place or order.
 * @param findings the properties that distinguish each finding
 * @param unread what could not be read
 */
export function setFingerprint(findings: readonly unknown[], unread: readonly unknown[]): string {
  const text = [
    ...findings.map(stringifyStably).toSorted(),
    "",
    ...unread.map(stringifyStably).toSorted(),
  ].join("\n");
  return `sha256:${hashSha256(text)}`;
}
