/** Checks the connection, so that a command fails early and with one error. */
import { isServiceError, type ServiceError, type WorkspaceAutomationClient } from "../../client/index.js";
import { getDefinition, openReadOnlySession, type SharedReadCache } from "../../provider/index.js";
import { AutomationError } from "../errors.js";
import type { Port } from "../port.js";
import { describeReading, explainUnseenWorkspace, withClient } from "./api-client.js";
import type { WorkspaceConnection } from "./connection.js";

/** Types that only workspace administrators may create (spec, Endpoints). */
const ADMIN_TYPES: ReadonlySet<string> = new Set(["Group", "PermissionSet", "Variable"]);

const retry = { limit: 2 };

/**
 * Reads the workspace.
 * @throws {AutomationError} with the reason and the remedy
 */
export async function checkConnection(connection: WorkspaceConnection, io: Port): Promise<void> {
  await withClient(connection, io, checked, { retry });

  async function checked(client: WorkspaceAutomationClient): Promise<void> {
    await client.workspaces.get(connection.workspace).catch(async (error: unknown) => {
      throw await explainError(error, client, connection);
    });
  }
}

/**
 * Reads the lists of these types that only the workspace has, for an operation that needs them anyway. Only if one cannot be
 * read, another request finds out whether the connection is the reason.
 * @throws {AutomationError} when it is
 */
export async function readInAdvance(
  connection: WorkspaceConnection,
  types: ReadonlySet<string>,
  reads: SharedReadCache,
  io: Port,
): Promise<void> {
  const isOnlyThere = (type: string) => Object.keys(getDefinition(type).document?.under ?? {}).length === 1;
  const only = new Set([...types].filter(isOnlyThere));
  const isRead = await readLists(connection, only, reads, io).catch((error: unknown) => {
    if (isServiceError(error, "network")) throw createUnusableError(connection, error, error);
    return false;
  });
  if (!isRead) await checkConnection(connection, io);
}

/**
 * Reads the lists that only administrators may read, if the plan changes what only they may change. Scopes for writing cannot be
 * checked without writing.
 * @param changed types of the objects that change
 * @throws {AutomationError} with the reason and the remedy
 */
export async function checkAdministrator(
  connection: WorkspaceConnection,
  changed: ReadonlySet<string>,
  reads: SharedReadCache,
  io: Port,
): Promise<void> {
  if ([...ADMIN_TYPES].every((type) => !changed.has(type))) return;
  const types = new Set(["PermissionSet", ...(changed.has("Variable") ? ["Variable"] : [])]);
  await readLists(connection, types, reads, io).catch((error: unknown) => {
    throw isServiceError(error) ? createUnusableError(connection, error, error) : error;
  });
}

/** @returns whether there was a list to read */
async function readLists(
  connection: WorkspaceConnection,
  types: ReadonlySet<string>,
  reads: SharedReadCache,
  io: Port,
): Promise<boolean> {
  const session = openReadOnlySession(connection, { ...describeReading(io, { retry }), reads });
  try {
    return await session.readLists(types);
  } finally {
    await session.close();
  }
}

async function explainError(
  error: unknown,
  client: WorkspaceAutomationClient,
  connection: WorkspaceConnection,
): Promise<unknown> {
  if (!isServiceError(error)) return error;
  const cause = (await explainUnseenWorkspace(error, client, connection.workspace)) ?? error;
  return createUnusableError(connection, cause, error);
}

function createUnusableError(
  { baseUrl, workspace }: WorkspaceConnection,
  { message, remedy }: Pick<AutomationError, "message" | "remedy">,
  cause: ServiceError,
): AutomationError {
  const text = `workspace ${workspace} at ${baseUrl} cannot be used: ${message}`;
  return new AutomationError(text, remedy, { code: cause.code, cause });
}
