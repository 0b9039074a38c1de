/** A few cheap reads before anything else happens, so that what cannot work fails at once and as one error. */
import { isServiceError } from "../../client/index.js";
import { CliError } from "../errors.js";
import type { Io } from "../terminal/io.js";
import { serviceClient } from "./api-client.js";
import type { WorkspaceConnection } from "./connection.js";

/** Only workspace administrators may make these (spec, Endpoints). */
const ADMIN_TYPES = ["Group", "PermissionSet", "Variable"];

/**
 * Asks for the workspace and, where the file declares what only administrators may make, whether the token's user is
 * one. Scopes for writing cannot be tried without writing.
 * @throws {CliError} with the reason and what to do
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
