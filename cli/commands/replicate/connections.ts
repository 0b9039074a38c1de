/** Resolves the source and target connections, which must lead to different workspaces. */
import { readLogins } from "../../connection/logins.js";
import { findLeafValue, type MapTree } from "../../../workspace-file/index.js";
import { resolveConnection, type Connection } from "../../../provider/index.js";
import type { WorkspaceSummary } from "../../../client/index.js";
import { CliError } from "../../errors.js";
import type { Io } from "../../terminal/io.js";
import { debugLines, withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import type { ReplicationTarget } from "./target-document.js";

/** @throws {CliError} when both names are the same, {ProviderError} when one of them cannot be resolved */
export function readConnections(from: string, to: string, io: Io): { from: Connection; to: Connection } {
  if (from === to)
    throw new CliError(
      `--from and --to are both "${from}"`,
      'name two connections (see "workspacectl login")',
    );
  const credentials = readLogins(io.env);
  const named = (connection: string) =>
    resolveConnection({ explicit: { connection }, env: io.env, credentials, debug: debugLines(io) });
  return { from: named(from), to: named(to) };
}

/** Reads a setting at the top of the document. */
export function findHeadKey(tree: MapTree, word: string): string | undefined {
  const value = findLeafValue(tree.entries.get(word)?.value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Resolves the target's workspace: from the overlay, else from the connection, else the only one, else the one of the
 * same name.
 * @throws {CliError} when it is the source itself, or cannot be determined
 */
export async function createTarget(
  target: ReplicationTarget,
  from: Connection,
  to: Connection,
  io: Io,
): Promise<WorkspaceConnection> {
  const { tree } = target.now();
  const said = tree.entries.get("workspace");
  const common = findHeadKey(target.base().tree, "workspace");
  const own = said && target.isOwn(said.value.at) ? findHeadKey(tree, "workspace") : undefined;
  const workspace = own ?? to.workspace ?? (await chooseWorkspaceThere(to, common, io));
  const source = from.workspace ?? common;
  if (from.baseUrl === to.baseUrl && (source === undefined || source === workspace))
    throw new CliError(
      `${from.name} and ${to.name} are the same workspace, ${workspace} at ${to.baseUrl}`,
      "log in to the other one with another --base-url or --workspace",
    );
  return { ...to, workspace };
}

async function chooseWorkspaceThere(to: Connection, wanted: string | undefined, io: Io): Promise<string> {
  const all = await withClient(to, io, (client) => client.workspaces.list().toArray());
  const domains = all.flatMap(({ domain }: WorkspaceSummary) => domain ?? []);
  const [only, second] = domains;
  if (only !== undefined && second === undefined) return only;
  if (wanted !== undefined && domains.includes(wanted)) return wanted;
  throw new CliError(
    domains.length === 0
      ? `the user of ${to.name} has no workspace there`
      : `${to.name} has ${domains.length} workspaces (${domains.join(", ")})`,
    domains.length === 0
      ? "ask for an invitation, or create one"
      : `say which one with "workspacectl login -c ${to.name} -w DOMAIN", or "workspace:" in the overlay`,
  );
}

/** Writes the workspace and the connection into the overlay. */
export function setHead(
  target: ReplicationTarget,
  { workspace, name = "" }: WorkspaceConnection,
  configured: string | undefined,
): void {
  const { tree } = target.now();
  const common = findHeadKey(target.base().tree, "connection");
  const connection = tree.entries.get("connection");
  const said = findHeadKey(tree, "connection");
  if (connection && said !== undefined && said !== name && target.isOwn(connection.value.at))
    throw new CliError(
      `${target.overlayFile} says "connection: ${said}", but --to is ${name}`,
      "correct one of them, or choose another stack with --stack",
    );
  if (findHeadKey(tree, "workspace") !== workspace) target.overlay.say([{ key: "workspace" }], workspace);
  const needed = common !== undefined || configured !== name;
  if (said !== name && needed) target.overlay.say([{ key: "connection" }], name);
}
