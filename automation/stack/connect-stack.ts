/** The third step of opening a stack: finds the connection to the service, and the passphrase of the stack. */
import { DELETE_VARIABLE, ENGINE_VARIABLE } from "../../provider/index.js";
import { debugLines } from "../connection/api-client.js";
import {
  chooseConnection,
  listConnectionVariables,
  type WorkspaceConnection,
} from "../connection/connection.js";
import { checkConnection, readInAdvance } from "../connection/preflight.js";
import type { FoundStack } from "./find-stack.js";
import type { LocatedStack, Opening } from "./locate-stack.js";
import { readConfigOfNewStack, type StackTarget } from "./missing-stack.js";
import { hasPassphrase, providePassphrase } from "./passphrase.js";
import { mayConfigure, stackSettings } from "./project.js";
import { type PulumiCli, readConfig } from "./pulumi.js";

/** A stack of which everything is known that can be without its state. */
export interface ConnectedStack extends Connected {
  readonly located: LocatedStack;
  /** With the environment of the engine. */
  readonly found: FoundStack;
}

interface Connected {
  readonly connection: WorkspaceConnection;
  /** Settles when the connection has been checked. */
  readonly checked: Promise<void>;
}

/** Connects before the stack is found, unless its configuration may name the connection. */
export function connectEarly(located: LocatedStack, opening: Opening): Connected | undefined {
  const { project, choice } = located;
  return mayConfigure(project, choice.name) ? undefined : connect(located, {}, opening);
}

/** Asks for the passphrase if it is needed, and connects unless that was done before. */
export async function connectStack(
  located: LocatedStack,
  found: FoundStack,
  early: Connected | undefined,
  opening: Opening,
): Promise<ConnectedStack> {
  const { options } = opening;
  const target = { ...found.target, cli: await withPassphrase(found, opening) };
  const connected = early ?? connect(located, await readConfigOf(target, found.exists), opening);
  // The guards of workspacectl replace the provider's own refusal of deletions under plain Pulumi.
  const variables: Record<string, string> = {
    ...(located.program ? listConnectionVariables(connected.connection) : {}),
    [DELETE_VARIABLE]: "*",
    ...(located.program && options.engine ? { [ENGINE_VARIABLE]: options.engine } : {}),
  };
  const cli = { ...target.cli, env: { ...target.cli.env, ...variables } };
  return { ...connected, located, found: { ...found, target: { ...target, cli } } };
}

async function withPassphrase(
  { target: { name, project, backend, cli }, action }: FoundStack,
  { purpose: { needsPassphrase }, io }: Opening,
): Promise<PulumiCli> {
  const hasSalt = stackSettings(project, name).encryptionsalt !== undefined;
  const isNeeded = action !== "try" || needsPassphrase === true || hasSalt || hasPassphrase(io.env);
  const passphrase = isNeeded ? await providePassphrase({ project, backend, stack: name }, io) : {};
  return { ...cli, env: { ...cli.env, ...passphrase } };
}

/** Finds the connection, and begins to check it. */
function connect(
  { file }: LocatedStack,
  config: Readonly<Record<string, string>>,
  { options, purpose, reads, io }: Opening,
): Connected {
  const isProgram = options.program !== undefined;
  const debug = debugLines(io);
  const connection = chooseConnection({
    flag: options.connection,
    file,
    config,
    isProgram,
    env: io.env,
    debug,
  });
  const checked = purpose.readsAll
    ? readInAdvance(connection, file.types, reads, io)
    : checkConnection(connection, io);
  // Another problem may end the command before somebody waits for it.
  checked.catch(() => undefined);
  return { connection, checked };
}

/** Reads the connection settings in the stack's configuration, by key. */
async function readConfigOf(
  { name, project, cli }: StackTarget,
  exists: boolean,
): Promise<Record<string, string>> {
  const config = exists ? await readConfig(cli, name) : await readConfigOfNewStack(name, project, cli);
  const prefix = "workspace-automation:";
  return Object.fromEntries(
    Object.entries(config).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : [],
    ),
  );
}
