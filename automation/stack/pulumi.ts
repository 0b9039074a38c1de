/** Runs commands of the Pulumi CLI other than the engine's operations, which are in engine-stack.ts. */
import { maskTexts } from "../../client/index.js";
import { explainDatabaseRefusal } from "../../recovery/database-refusals.js";
import { type Engine, Lease } from "../../recovery/lease.js";
import { explainWriteFailure } from "../../recovery/write-failure.js";
import type { RemedyText } from "../../trust/errors.js";
import { startProgram } from "../../trust/start-program.js";
import { StateAddress } from "../../trust/state-address.js";
import { AutomationError } from "../errors.js";
import { openLocksOf, withAge } from "./locks.js";
import type { PrivateFolder } from "./private-folder.js";
import type { StackLocation } from "./state.js";

export interface PulumiCli {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The stack on which the commands work; absent for a temporary state, and before the stack is chosen. */
  readonly location?: StackLocation;
  /** The folder in which Pulumi runs for a workspace file; absent for a program. */
  readonly folder?: PrivateFolder;
}

/**
 * Runs a command and returns its standard output.
 * @param input standard input of the command; a secret must not be written to a file
 * @throws {AutomationError} with Pulumi's own message
 */
export async function runPulumi(
  { command, cwd, env, location }: PulumiCli,
  args: readonly string[],
  input?: string,
): Promise<string> {
  // Other commands do not lock the stack.
  const store = location && LOCKING.test(args.join(" ")) ? await openLocksOf(location, env) : undefined;
  const options = input === undefined ? ({ stdin: "ignore" } as const) : { input };
  const running = startProgram(command, [...args, "--non-interactive"], { cwd, env }, options);
  const lease =
    store && running.pid !== undefined ? new Lease(store, attachEngine(running, running.pid)) : undefined;
  const { exitCode, failed, stdout, stderr } = await running;
  await lease?.end();
  requireLock(lease);
  if (!failed) return stdout;
  const { message, remedy, code } = explainPulumi(hideAddress(stderr || stdout, env));
  throw new AutomationError(message || `pulumi ${args[0]} failed with exit code ${exitCode}`, remedy, {
    code,
  });
}

/** Masks what the address of the state contains besides its place, in a message of Pulumi's. */
export function hideAddress(message: string, { PULUMI_BACKEND_URL: url = "" }: PulumiCli["env"]): string {
  return maskTexts(message, new StateAddress(url).secrets);
}

/** Lets Pulumi decrypt the configuration of an existing stack. @returns the values by full key */
export async function readConfig(cli: PulumiCli, stack: string): Promise<Record<string, string>> {
  const text = await runPulumi(cli, ["config", "--json", "--show-secrets", "--stack", stack]);
  const config = JSON.parse(text) as Readonly<Record<string, { readonly value?: string }>>;
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])),
  );
}

const LOCKING = /^stack (import|rm|rename)\b/;

/** @throws {AutomationError} when the operation lost the lock of its stack */
export function requireLock(lease: Pick<Lease, "lost"> | undefined): void {
  if (lease?.lost)
    throw new AutomationError(lease.lost.message, lease.lost.remedy, { code: lease.lost.code });
}

/** A process of the CLI, as the record of its lock needs it. */
export function attachEngine(running: { kill(signal: NodeJS.Signals): unknown }, pid: number): Engine {
  return { pid, signal: (signal) => void running.kill(signal) };
}

/** Extracts the CLI's error, which is empty if there is none. */
export function explainPulumi(output: string): {
  readonly message: string;
  readonly remedy: RemedyText;
  readonly code?: AutomationError["code"];
} {
  const message = formatErrorLines(output);
  if (/incorrect passphrase/.test(message)) {
    return {
      message: "the passphrase is not the one that this stack was created with",
      remedy: "set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the right one",
      code: "passphrase",
    };
  }
  if (/currently locked by |Another update is currently in progress/.test(message)) {
    const [, owner, at] = /created by (.* at (\S+)|.*)/.exec(message) ?? [];
    return createLockedError(formatLocked(withAge(owner, at)));
  }
  const unwritable = explainWriteFailure(message);
  if (unwritable !== undefined)
    return { message: `${unwritable.what} (${message})`, remedy: unwritable.remedy };
  const [, missing] = /no stack named '([^']*)' found/.exec(message) ?? [];
  if (missing !== undefined)
    return {
      message,
      remedy: [
        'list those that exist with "workspacectl stack ls"',
        `if there was one, "workspacectl stack repair --stack ${missing.split("/").at(-1)}" restores its state`,
      ],
    };
  if (/unexpected end of JSON input|invalid character .* (?:looking for|after) /.test(message))
    return {
      message: `a file of the state is cut off (${message})`,
      remedy: [
        'if it is a state, "workspacectl stack repair --stack NAME" rebuilds it',
        'if it is a lock, "workspacectl stack unlock --stack NAME" releases it',
      ],
    };
  if (/Legacy DIY state/.test(message))
    return {
      message: "the state has the layout of older releases of Pulumi, without projects",
      remedy:
        'run "PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR=1 workspacectl pulumi -- state upgrade --yes", with Pulumi 3.274 or earlier',
    };
  return {
    message,
    remedy:
      explainDatabaseRefusal(message) ?? 'run "workspacectl doctor" to check the installation of Pulumi',
  };
}

/** @param owner as Pulumi names it */
export function formatLocked(owner: string | undefined): string {
  return `another update of this stack is in progress${owner ? ` (created by ${owner})` : ""}`;
}

/** @param text what holds the lock */
export function createLockedError(text: string): AutomationError {
  return new AutomationError(
    `${text}; nothing was changed`,
    'wait until it ends. If it was killed and left the lock behind, run "workspacectl stack unlock"',
  );
}

/** The text after the first `error:`. */
function formatErrorLines(text: string): string {
  // The client of a bucket writes this for each response of a server without checksums.
  const output = text.replaceAll(/^SDK .* WARN .*\n?/gm, "");
  const start = output.search(/^error:/m);
  return (start < 0 ? output : output.slice(start).replace(/^error:\s*/, "")).trim();
}
