/** Digests of texts. */
import { createHash } from "node:crypto";

/** Returns the digest of a text as 64 hexadecimal digits. */
export function hashSha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
