/** Determines the connection of a run from the stored logins and the settings, and the variables by which the process of a program's provider uses the same one. */
import { existsSync } from "node:fs";
import { listDifferences } from "../../assumptions/profile.js";
import {
  type Connection,
  type ConnectionProfile,
  type ConnectionSources,
  type Credentials,
  getCredentialsFile,
  readCredentials,
  resolveConnection,
} from "../../provider/index.js";
import { findCheckouts } from "../../trust/checkout.js";
import { refuseInRepository } from "../../trust/programs.js";
import { AutomationError } from "../errors.js";
import { type Port, warn } from "../port.js";
import type { FileFacts } from "./file-facts.js";

type Settings = NonNullable<ConnectionSources["checkout"]>;

/** Connection to a workspace. */
export interface WorkspaceConnection extends Connection {
  readonly workspace: string;
}

export interface ConnectionRequest {
  /** `--connection` */
  readonly flag: string | undefined;
  readonly file: FileFacts;
  /** Configuration of the stack. */
  readonly config: Settings;
  /** The stack is that of a program, which is code and may name an address. */
  readonly isProgram?: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly debug?: ConnectionSources["debug"];
}

/**
 * Finds the connection before Pulumi starts.
 * @throws {ProviderError} when there is none, {AutomationError} when two sources contradict each other, {TrustError} when the stack of a workspace
 * file names an address that its caller has not named
 */
export function chooseConnection({
  flag,
  file,
  config,
  isProgram,
  env,
  debug,
}: ConnectionRequest): WorkspaceConnection {
  const name = findAgreed([
    ["--connection", flag],
    [`${file.file} (connection:)`, file.connection],
    ["the stack's configuration (workspace-automation:connection)", config.connection],
  ]);
  const connection = resolveConnection({
    explicit: { connection: name },
    ...(isProgram ? { config } : { checkout: config }),
    env,
    credentials: readLogins(env),
    debug,
  });
  const workspace = file.workspace ?? connection.workspace;
  if (workspace === undefined) {
    throw new AutomationError(
      "no workspace was specified",
      isProgram
        ? 'set it with "pulumi config set workspace-automation:workspace <domain>", or set WORKSPACE_AUTOMATION_DOMAIN'
        : `write "workspace: <domain>" into ${file.file}, or set WORKSPACE_AUTOMATION_DOMAIN`,
    );
  }
  return { ...connection, workspace };
}

/** Returns the name that all sources agree on. */
function findAgreed(
  sources: readonly (readonly [source: string, name: string | undefined])[],
): string | undefined {
  const given = sources.filter(([, name]) => name !== undefined);
  const [first] = given;
  const other = given.find(([, name]) => name !== first?.[1]);
  if (first === undefined || other === undefined) return first?.[1];
  throw new AutomationError(
    `${first[0]} selects connection "${first[1]}", but ${other[0]} selects "${other[1]}"`,
    "remove one of the two settings, or choose another stack with --stack",
  );
}

/** Returns the variables by which a program and its provider process find the same connection. */
export function listConnectionVariables(connection: WorkspaceConnection): Record<string, string> {
  return {
    WORKSPACE_AUTOMATION_BASE_URL: connection.baseUrl,
    // Renewable tokens stay in the credentials file, where the other process finds them by the name of the connection.
    ...(typeof connection.token === "string" ? { WORKSPACE_AUTOMATION_TOKEN: connection.token } : {}),
    WORKSPACE_AUTOMATION_DOMAIN: connection.workspace,
    ...(connection.name === undefined ? {} : { WORKSPACE_AUTOMATION_CONNECTION: connection.name }),
    ...(connection.profile ? { WORKSPACE_AUTOMATION_PROFILE: connection.profile.file } : {}),
    ...(connection.allowInsecure ? { WORKSPACE_AUTOMATION_ALLOW_INSECURE: "true" } : {}),
  };
}

/**
 * Reads the logins of `workspacectl login`; nothing when there are none. Those in the checkout are refused: the author of a change could
 * have written them, with any address.
 * @throws {TrustError} when the environment keeps them in the checkout
 */
export function readLogins(env: NodeJS.ProcessEnv): Credentials {
  const file = getCredentialsFile(env);
  const remedy = "Set WORKSPACE_AUTOMATION_CREDENTIALS to a file outside of it, and log in again.";
  if (existsSync(file))
    refuseInRepository("The credentials file", file, findCheckouts(process.cwd()), remedy);
  return readCredentials(file);
}

interface Side {
  readonly name: string;
  readonly profile: ConnectionProfile | undefined;
}

/** Prints a warning for each finding of `probe --compare`. Without two profiles, nothing is known. */
export function warnOfDifferences(left: Side, right: Side, io: Port): void {
  if (left.profile === undefined || right.profile === undefined) return;
  for (const { left: one, right: other } of listDifferences(left.profile, right.profile))
    warn(
      io,
      `The services behave differently, according to their profiles: ${one} at ${left.name}, and ${other} at ${right.name}.`,
    );
}
