/** The passphrase that encrypts secrets in the state: from Pulumi's variables or a prompt, never silently empty. It also keys fingerprints. */
import { type ScryptOptions, scryptSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkspaceConnection } from "../connection/connection.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import type { Backend } from "./backend.js";
import { hasFleet } from "./fleet-turn.js";
import { type PulumiProjectFolder, stackSettings } from "./project.js";
import type { PulumiCli } from "./pulumi.js";

const VARIABLES = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"] as const;

interface EncryptedState {
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  readonly stack: string;
}

/**
 * Returns the variables that give Pulumi the passphrase; none when they are already set, or no passphrase is needed.
 * @throws {AutomationError} when one is needed and there is no terminal
 */
export async function providePassphrase(where: EncryptedState, io: Port): Promise<Record<string, string>> {
  if (!needsPassphrase(where)) return {};
  if (VARIABLES.some((name) => io.env[name])) return {};
  if (io.env["PULUMI_CONFIG_PASSPHRASE"] === "") {
    note(io, "PULUMI_CONFIG_PASSPHRASE is set and empty: whoever has the state can read its secrets.");
    return {};
  }
  return { PULUMI_CONFIG_PASSPHRASE: await ask(where.stack, isNew(where), io) };
}

/** Whether the environment provides a passphrase. */
export function hasPassphrase(env: NodeJS.ProcessEnv): boolean {
  return VARIABLES.some((name) => env[name] !== undefined);
}

function needsPassphrase({ project, backend, stack }: EncryptedState): boolean {
  const { secretsprovider, encryptionsalt } = stackSettings(project, stack);
  if (secretsprovider !== undefined && secretsprovider !== "passphrase") return false;
  return !backend.url.isOfService || encryptionsalt !== undefined;
}

/** A stack without a salt has no passphrase yet. */
function isNew({ project, stack }: EncryptedState): boolean {
  return stackSettings(project, stack).encryptionsalt === undefined;
}

async function ask(stack: string, fresh: boolean, io: Port): Promise<string> {
  const question = async (message: string): Promise<string> => {
    const answer = await io.askSecret(message);
    if (answer !== undefined) return answer;
    const reason = hasFleet(io.env) ? "a fleet does not ask for it" : "there is no terminal to ask for it";
    throw new AutomationError(
      `the secrets in the state are encrypted with a passphrase, and ${reason}`,
      `set ${VARIABLES.join(" or ")}`,
    );
  };
  if (!fresh) return question(`Passphrase of stack ${stack}`);
  const first = await question(
    `A passphrase for the new stack ${stack}: it encrypts the secrets in the state`,
  );
  if ((await question("The same again")) !== first)
    throw new AutomationError(
      "the two passphrases differ; nothing was done",
      "run the command again, and type the same one twice",
    );
  return first;
}

/** @returns the passphrase of the state, else the token; undefined for a token that is renewed, which differs between runs */
export function findSharedSecret({
  cli,
  connection,
}: {
  readonly cli: PulumiCli;
  readonly connection: Pick<WorkspaceConnection, "token">;
}): string | undefined {
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
