/** Short values by which two runs tell whether something is the same. */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { stableJson } from "../../../diff/values.js";
import type { Declared } from "../../../workspace-file/load/index.js";

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const SHORT = 16;

export function shortDigest(value: unknown): string {
  return sha256(stableJson(value)).slice(0, SHORT);
}

/** A key for fingerprints of secrets: out of what both runs know and the plan does not hold. */
export interface FingerprintKey {
  readonly salt: string;
  /** Tells whether two runs have the same key, and nothing of the key. */
  readonly id: string;
  readonly of: (value: unknown) => string;
}

/** @param secret the passphrase of the state, or else the token */
export function fingerprintKey(secret: string, salt: string): FingerprintKey {
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "workspacectl plan", 32));
  const mac = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, SHORT);
  return { salt, id: mac("key"), of: (value) => mac(stableJson(value)) };
}

/** What is declared, by logical name; references are named by what they refer to. */
export function declaredFingerprints(
  { declarations }: Pick<Declared, "declarations">,
  key: FingerprintKey,
): Record<string, string> {
  return Object.fromEntries(
    declarations.map(({ name, args, definition, retain, protect, after }) => [
      name,
      key.of([definition.type, args, retain, protect ?? null, after ?? null]),
    ]),
  );
}

/** The files of a document, relative to the folder of the first one, in the order in which they were read. */
export function fileDigests(file: string, { sources }: Pick<Declared, "sources">): SourceDigest[] {
  return [...sources].map(([path, source]) => ({
    path:
      path === "<stdin>"
        ? path
        : relative(dirname(resolve(file)), resolve(path))
            .split(sep)
            .join("/") || basename(path),
    sha256: sha256(source.text),
  }));
}

export interface SourceDigest {
  readonly path: string;
  readonly sha256: string;
}
