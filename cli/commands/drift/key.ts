/** The key of a stack's fingerprints: the same at every run and on every machine, and known to nobody who may not read secrets. */
import { randomBytes, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import type { OpenStack } from "../../engine/stack/open.js";

export interface FingerprintKey {
  /** In hexadecimal. */
  readonly key: string;
  /** Will the next run have the same key? */
  readonly lasting: boolean;
}

/** From the passphrase of the state; where there is none, from the token. */
export function fingerprintKey({
  cli,
  connection,
  name,
}: Pick<OpenStack, "cli" | "connection" | "name">): FingerprintKey {
  const { baseUrl, workspace, token } = connection;
  const secret = passphrase(cli.env) ?? (typeof token === "string" ? token : undefined);
  const salt = ["workspacectl drift", baseUrl, workspace, name.split("/").at(-1)].join("\n");
  if (secret === undefined) return { key: randomBytes(32).toString("hex"), lasting: false };
  return { key: scryptSync(secret, salt, 32).toString("hex"), lasting: true };
}

function passphrase(env: Readonly<Record<string, string>>): string | undefined {
  const { PULUMI_CONFIG_PASSPHRASE: given, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (given) return given;
  if (!file) return undefined;
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined; // Pulumi says so itself
  }
}
