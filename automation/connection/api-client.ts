/** Client of the service for the duration of a command. */
import {
  type ClientOptions,
  isServiceError,
  type ProgressEvent,
  WorkspaceAutomationClient,
  type WorkspaceSummary,
} from "../../client/index.js";
import {
  buildClientOptions,
  type Connection,
  createWaitPrinter,
  debugWriter,
  formatLimit,
  openRequestCounter,
  type ReadingOptions,
  readRequestLimits,
  resolveConnection,
} from "../../provider/index.js";
import { formatClock } from "../../text/clock.js";
import { AutomationError } from "../errors.js";
import { note, type Port } from "../port.js";
import { SIGN_EVERY_MS } from "../signs-of-life.js";
import { readLogins } from "./connection.js";

/** Options of the commands that call the service directly. */
export interface ServiceOptions {
  readonly connection?: string;
  /** Domain of the workspace. Default: the connection's. */
  readonly workspace?: string;
}

export interface OpenService {
  readonly client: WorkspaceAutomationClient;
  readonly connection: Connection;
  /**
   * Returns the domain of the named workspace, or of the only one.
   * @throws {AutomationError} that names the workspaces when there are several
   */
  readonly workspace: () => Promise<string>;
}

/** Opens the connection of flags, environment or login, and closes it after the work. */
export async function withService<T>(
  { connection: name, workspace }: ServiceOptions,
  io: Port,
  work: (service: OpenService) => Promise<T>,
  more: Partial<ClientOptions> = {},
): Promise<T> {
  const connection = resolveConnection({
    explicit: { connection: name, workspace },
    env: io.env,
    credentials: readLogins(io.env),
    debug: debugLines(io),
  });
  const named = connection.workspace;
  const run = async (client: WorkspaceAutomationClient) => {
    try {
      return await work({
        client,
        connection,
        workspace: () => (named === undefined ? findOnlyWorkspace(client) : Promise.resolve(named)),
      });
    } catch (error) {
      throw (named !== undefined && (await explainUnseenWorkspace(error, client, named))) || error;
    }
  };
  return withClient(connection, io, run, more);
}

/** Returns the error of a workspace that the token does not see, with those that it sees; undefined for any other error. */
export async function explainUnseenWorkspace(
  error: unknown,
  client: WorkspaceAutomationClient,
  workspace: string,
): Promise<AutomationError | undefined> {
  if (!isServiceError(error) || ![403, 404].includes(error.status ?? 0)) return undefined;
  const seen = await client.workspaces
    .list()
    .toArray()
    .catch(() => undefined);
  if (seen === undefined || seen.some(({ domain }) => domain === workspace)) return undefined;
  return new AutomationError(
    `there is no workspace ${workspace} for this token: it sees ${seen.length === 0 ? "none" : formatDomains(seen)}`,
    seen.length === 0
      ? "Ask an administrator of the workspace to invite this user, or log in as another user (workspacectl login)"
      : "Choose one of these with --workspace, or log in as another user",
    { cause: error },
  );
}

/** Opens a client that reports waits and, with `--debug`, every request. Closes it after the work. */
export async function withClient<T>(
  {
    baseUrl,
    token,
    allowInsecure,
    profile,
    credential,
  }: Pick<Connection, "baseUrl" | "token" | "allowInsecure" | "profile" | "credential">,
  io: Port,
  work: (client: WorkspaceAutomationClient) => Promise<T>,
  more: Partial<ClientOptions> = {},
): Promise<T> {
  const debug = debugLines(io);
  const requestCounter = openRequestCounter(io.env);
  const client = new WorkspaceAutomationClient({
    baseUrl,
    token,
    allowInsecure,
    credential,
    onProgress: waitNotes(io),
    ...(debug ? { debug } : {}),
    ...(requestCounter ? { onExchange: requestCounter.exchanged } : {}),
    ...readRequestLimits(io.env),
    ...(io.signal ? { signal: io.signal } : {}),
    ...buildClientOptions(profile?.behavior),
    ...more,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** Returns the writer for `--debug`. */
export function debugLines(io: Port): ((line: string) => void) | undefined {
  return debugWriter(io.env, (line) => note(io, line));
}

/** The settings of a command for each session that it opens to read. */
export function describeReading(io: Port, client?: Partial<ClientOptions>): ReadingOptions {
  const requestCounter = openRequestCounter(io.env);
  const cancelled = io.signal && { signal: io.signal };
  const options = { ...cancelled, ...client };
  return { debug: debugLines(io), env: io.env, onWait: waitNotes(io), requestCounter, client: options };
}

/** Reports long waits at intervals. */
function waitNotes(io: Port): (event: ProgressEvent) => void {
  let last = -Infinity;
  const noteSlowness = createWaitPrinter((line) => note(io, line.replace(/^w/, "W")));
  return (event) => {
    if (event.type !== "rate-limit-wait") return noteSlowness(event);
    if (Date.now() - last < SIGN_EVERY_MS) return;
    last = Date.now();
    const seconds = Math.ceil(event.remainingMs / 1000);
    const why = event.asked ? "The service asks for a pause" : "The hourly rate limit is reached";
    note(io, `${why}: waiting ${seconds} s, until ${formatClock(event.resetAt)}${formatLimit(event)}.`);
  };
}

async function findOnlyWorkspace(client: WorkspaceAutomationClient): Promise<string> {
  const found = await client.workspaces.list().toArray();
  const [first, second] = found;
  if (first?.domain != null && second === undefined) return first.domain;
  throw new AutomationError(
    found.length === 0
      ? "this user has no workspace"
      : `this user has ${found.length} workspaces (${formatDomains(found)})`,
    found.length === 0
      ? "ask an administrator of the workspace to invite this user, or log in as another user (workspacectl login)"
      : "choose one with --workspace, or set WORKSPACE_AUTOMATION_DOMAIN",
  );
}

function formatDomains(workspaces: readonly WorkspaceSummary[]): string {
  return workspaces.map(({ domain }) => domain).join(", ");
}
