/** Computes short values by which two runs can compare what they must not store. */
import { createHash, createHmac, hkdfSync } from "node:crypto";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { stableJson } from "../../../diff/values.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const SHORT = 16;

export function shortDigest(value: unknown): string {
  return sha256(stableJson(value)).slice(0, SHORT);
}

/** Key for fingerprints of secrets, derived from what both runs know and the plan does not contain. */
export interface FingerprintKey {
  readonly salt: string;
  /** Shows whether two runs have the same key, without revealing it. */
  readonly id: string;
  readonly of: (value: unknown) => string;
}

/** @param secret the passphrase of the state, or else the token */
export function fingerprintKey(secret: string, salt: string): FingerprintKey {
  const key = Buffer.from(hkdfSync("sha256", secret, salt, "workspacectl plan", 32));
  const mac = (text: string) => createHmac("sha256", key).update(text).digest("hex").slice(0, SHORT);
  return { salt, id: mac("key"), of: (value) => mac(stableJson(value)) };
}

/** Fingerprints of all declarations, by logical name; a reference counts by the name it refers to. */
export function declaredFingerprints(
  { declarations }: Pick<LoadedFile, "declarations">,
  key: FingerprintKey,
): Record<string, string> {
  return Object.fromEntries(
    declarations.map(({ name, args, definition, retain, protect, after }) => [
      name,
      key.of([definition.type, args, retain, protect ?? null, after ?? null]),
    ]),
  );
}

/** Digests of the files of a document, relative to the folder of the first one, in reading order. */
export function fileDigests(file: string, { sources }: Pick<LoadedFile, "sources">): SourceDigest[] {
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
