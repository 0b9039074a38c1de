/** Proof that a form comes from a page of this process. */
import { createHmac, randomBytes } from "node:crypto";
import { isSame } from "../encryption.js";

const key = randomBytes(32);

/** Proves that a form comes from a page of this process, since there is no login session. @param question what it is for */
export function createFormToken(question: unknown): string {
  return createHmac("sha256", key).update(JSON.stringify(question)).digest("base64url");
}

export function isFormToken(sent: unknown, question: unknown): boolean {
  return typeof sent === "string" && isSame(sent, createFormToken(question));
}
