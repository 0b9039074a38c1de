/** Finds the secret that keys fingerprints. Every run on a stack knows it, and no plan or report contains it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { OpenStack } from "./open-stack.js";
import type { PulumiCli } from "./pulumi.js";

/** @returns the passphrase of the state, else the token; undefined for a token that is renewed, which differs between runs */
export function findSharedSecret({
  cli,
  connection,
}: Pick<OpenStack, "cli" | "connection">): string | undefined {
  const { token } = connection;
  return readPassphrase(cli) || (typeof token === "string" ? token : undefined);
}

/** @returns the passphrase of the state, if the environment of Pulumi has one */
export function readPassphrase({ env, cwd }: PulumiCli): string | undefined {
  const { PULUMI_CONFIG_PASSPHRASE: passphrase, PULUMI_CONFIG_PASSPHRASE_FILE: file } = env;
  if (passphrase || !file) return passphrase;
  try {
    return readFileSync(resolve(cwd, file), "utf8").trim();
  } catch {
    // Pulumi reports an unreadable file itself when it needs the passphrase.
    return undefined;
  }
}
