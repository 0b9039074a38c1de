/** Checks the connection with a few requests, so that a command fails early and with one error. */
import { isServiceError } from "../../client/index.js";
import { CliError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { serviceClient } from "./api-client.js";
import type { WorkspaceConnection } from "./connection.js";

/** Types that only workspace administrators may create (spec, Endpoints). */
const ADMIN_TYPES = ["Group", "PermissionSet", "Variable"];

/**
 * Reads the workspace and, where the file declares objects that only administrators may create, a list that only they may read.
 * Scopes for writing cannot be checked without writing.
 * @throws {CliError} with the reason and the remedy
 */
export async function preflight(
  connection: WorkspaceConnection,
  types: ReadonlySet<string>,
  io: Io,
): Promise<void> {
  const { workspace } = connection;
  try {
    const client = serviceClient(connection, io, { retry: { limit: 2 } });
    try {
      await client.workspaces.get(workspace);
      if (ADMIN_TYPES.some((type) => types.has(type))) {
        await client.permissionSets.list(workspace).pages().next();
      }
      if (types.has("Variable")) await client.variables.list(workspace).pages().next();
    } finally {
      await client.close();
    }
  } catch (error) {
    throw explained(error, connection);
  }
}

function explained(error: unknown, { baseUrl, workspace }: WorkspaceConnection): unknown {
  if (!isServiceError(error)) return error;
  return new CliError(`workspace ${workspace} at ${baseUrl} cannot be used: ${error.message}`, undefined, {
    cause: error,
  });
}
