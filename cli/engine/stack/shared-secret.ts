/** Finds the secret that keys fingerprints. Every run on a stack knows it, and no plan or report contains it. */
import { scryptSync, type ScryptOptions } from "node:crypto";
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

/** The stack and the workspace that a key is for. */
export interface KeyScope {
  readonly baseUrl: string;
  readonly workspace: string;
  /** Name of the stack, without those of its organization and project. */
  readonly stack: string;
}

/** Derives a key for fingerprints of secrets. The same secret gives another key for each purpose, stack and workspace. */
export function deriveKey(
  secret: string,
  purpose: string,
  { baseUrl, workspace, stack }: KeyScope,
  cost: ScryptOptions = {},
): Buffer {
  const salt = [`workspacectl ${purpose}`, baseUrl, workspace, stack].join("\n");
  return scryptSync(secret, salt, 32, cost);
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
