/** Checks the connection with a few requests, so that a command fails early and with one error. */
import { isServiceError, type WorkspaceAutomationClient } from "../../client/index.js";
import { CliError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { explainUnseenWorkspace, withClient } from "./api-client.js";
import type { WorkspaceConnection } from "./connection.js";

/** Types that only workspace administrators may create (spec, Endpoints). */
const ADMIN_TYPES = ["Group", "PermissionSet", "Variable"];

/**
 * Reads the workspace and, where the file declares objects that only administrators may create, a list that only they may read.
 * Scopes for writing cannot be checked without writing.
 * @throws {CliError} with the reason and the remedy
 */
export async function checkConnection(
  connection: WorkspaceConnection,
  types: ReadonlySet<string>,
  io: Io,
): Promise<void> {
  const { workspace } = connection;
  await withClient(connection, io, checked, { retry: { limit: 2 } });

  async function checked(client: WorkspaceAutomationClient): Promise<void> {
    await check(client).catch(async (error: unknown) => {
      throw await explainError(error, client, connection);
    });
  }

  async function check(client: WorkspaceAutomationClient): Promise<void> {
    const reads: Promise<unknown>[] = [client.workspaces.get(workspace)];
    if (ADMIN_TYPES.some((type) => types.has(type)))
      reads.push(client.permissionSets.list(workspace).pages().next());
    if (types.has("Variable")) reads.push(client.variables.list(workspace).pages().next());
    // The first of them explains most.
    for (const result of await Promise.allSettled(reads))
      if (result.status === "rejected") throw result.reason as Error;
  }
}

async function explainError(
  error: unknown,
  client: WorkspaceAutomationClient,
  { baseUrl, workspace }: WorkspaceConnection,
): Promise<unknown> {
  if (!isServiceError(error)) return error;
  const cause = (await explainUnseenWorkspace(error, client, workspace)) ?? error;
  return new CliError(`workspace ${workspace} at ${baseUrl} cannot be used: ${cause.message}`, cause.remedy, {
    code: error.code,
    cause: error,
  });
}
