/** Resolves the two connections, prepares the overlay of the target in memory, and checks the prerequisites there. */
import type { Integration, WorkspaceSummary } from "../../client/index.js";
import { type Connection, resolveConnection } from "../../provider/index.js";
import { findLeafValue, type MapTree } from "../../workspace-file/index.js";
import type { Mapping } from "../compare/mapping-file.js";
import { debugLines, withClient } from "../connection/api-client.js";
import { readLogins, type WorkspaceConnection } from "../connection/connection.js";
import { AutomationError } from "../errors.js";
import type { Port } from "../port.js";
import { findProject, stackSettings } from "../stack/project.js";
import { findUses, mapIntegrations, overrideUses } from "./integrations.js";
import { applyWatchList } from "./limit-kinds.js";
import {
  findForeignNumbers,
  findMissingConfiguration,
  findMissingExternals,
  findMissingVariables,
  type MissingPrerequisite,
} from "./missing-in-target.js";
import type { ReplicationTarget } from "./target-document.js";

interface Between {
  readonly from: Connection;
  readonly to: WorkspaceConnection;
  readonly mapping: Mapping;
  /** Types that are replicated. Default: all. */
  readonly watched: ReadonlySet<string> | undefined;
}

/**
 * Writes the target's overlay, in memory.
 * @returns what is missing in the target
 * @throws {WorkspaceFileError} when the document would not be valid
 */
export async function prepare(
  target: ReplicationTarget,
  { from, to, mapping, watched }: Between,
  io: Port,
): Promise<MissingPrerequisite[]> {
  if (watched !== undefined) applyWatchList(target, watched);
  setHead(target, to, findConfiguredConnection(target));
  const names = { from: from.name ?? "", to: to.name ?? "" };
  const integrations = await mapIntegrations(target, mapping, {
    ...names,
    source: runOnce(() => listIntegrations(from, io)),
    target: runOnce(() => listIntegrations(to, io)),
  });
  const identifiers = mapIdentifiers(target, mapping, names.to);
  target.requireValid();
  return [
    ...integrations,
    ...identifiers,
    ...findForeignNumbers(target, names.from),
    ...(await findMissingExternals(target, to, names.to, io)),
    ...findMissingVariables(target, io.env),
    ...findMissingConfiguration(target),
  ];
}

/** Reads `workspace-automation:connection` of the stack. */
function findConfiguredConnection({ options }: ReplicationTarget): string | undefined {
  const { config } = stackSettings(findProject(options.file), options.stack);
  const said = config["workspace-automation:connection"];
  return typeof said === "string" ? said : undefined;
}

function listIntegrations(connection: Connection, io: Port): Promise<readonly Integration[]> {
  return withClient(connection, io, (client) => client.integrations.list().toArray());
}

function runOnce<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => (done ??= work());
}

const IDENTIFIER = "integrationIdentifier";

/** Writes mapped identifiers into the overlay. @returns identifiers without a mapping */
function mapIdentifiers(target: ReplicationTarget, mapping: Mapping, to: string): MissingPrerequisite[] {
  const found = findUses(target.now(), target, ({ args }) => [
    { path: [IDENTIFIER], value: args[IDENTIFIER] },
  ]);
  return found.flatMap((uses) => {
    const [{ value, own }] = uses;
    const mapped = mapping.integrationIdentifiers.get(String(value));
    // A value in the overlay is meant for the target.
    if (own || mapped === value) return [];
    if (mapped !== undefined) {
      overrideUses(target, uses, mapped);
      return [];
    }
    const entry = { to: undefined, comment: `its identifier in ${to}` };
    return {
      what: `integration with the identifier "${value}"`,
      why: `the service does not list identifiers, so it is not known whether ${to} has it`,
      remedy: "map it to its identifier there, which may be the same",
      uses,
      mapping: { section: "integrationIdentifiers" as const, key: String(value), ...entry },
    };
  });
}

/** @throws {AutomationError} when both names are the same, {ProviderError} when one of them cannot be resolved */
export function readConnections(from: string, to: string, io: Port): { from: Connection; to: Connection } {
  if (from === to)
    throw new AutomationError(
      `--from and --to are both "${from}"`,
      'pass the names of two different connections; "workspacectl whoami" lists them',
    );
  const credentials = readLogins(io.env);
  const named = (connection: string) =>
    resolveConnection({ explicit: { connection }, env: io.env, credentials, debug: debugLines(io) });
  return { from: named(from), to: named(to) };
}

/** Reads a setting at the top of the document. */
function findHeadKey(tree: MapTree, word: string): string | undefined {
  const value = findLeafValue(tree.entries.get(word)?.value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Resolves the target's workspace: from the overlay, else from the connection, else the only one, else the one of the
 * same name.
 * @throws {AutomationError} when it is the source itself, or cannot be determined
 */
export async function createTarget(
  target: ReplicationTarget,
  from: Connection,
  to: Connection,
  io: Port,
): Promise<WorkspaceConnection> {
  const { tree } = target.now();
  const said = tree.entries.get("workspace");
  const common = findHeadKey(target.base().tree, "workspace");
  const own = said && target.isOwn(said.value.at) ? findHeadKey(tree, "workspace") : undefined;
  const workspace = own ?? to.workspace ?? (await chooseWorkspaceThere(to, common, io));
  const source = from.workspace ?? common;
  if (from.baseUrl === to.baseUrl && (source === undefined || source === workspace))
    throw new AutomationError(
      `${from.name} and ${to.name} are the same workspace, ${workspace} at ${to.baseUrl}`,
      'choose another connection for one of the two, or log in to another workspace with "workspacectl login -c NAME --base-url URL --workspace DOMAIN"',
    );
  return { ...to, workspace };
}

async function chooseWorkspaceThere(to: Connection, wanted: string | undefined, io: Port): Promise<string> {
  const all = await withClient(to, io, (client) => client.workspaces.list().toArray());
  const domains = all.flatMap(({ domain }: WorkspaceSummary) => domain ?? []);
  const [only, second] = domains;
  if (only !== undefined && second === undefined) return only;
  if (wanted !== undefined && domains.includes(wanted)) return wanted;
  throw new AutomationError(
    domains.length === 0
      ? `the user of ${to.name} has no workspace there`
      : `${to.name} has ${domains.length} workspaces (${domains.join(", ")})`,
    domains.length === 0
      ? "ask for an invitation, or create one"
      : `say which one with "workspacectl login -c ${to.name} -w DOMAIN", or "workspace:" in the overlay`,
  );
}

/** Writes the workspace and the connection into the overlay. */
function setHead(
  target: ReplicationTarget,
  { workspace, name = "" }: WorkspaceConnection,
  configured: string | undefined,
): void {
  const { tree } = target.now();
  const common = findHeadKey(target.base().tree, "connection");
  const connection = tree.entries.get("connection");
  const said = findHeadKey(tree, "connection");
  if (connection && said !== undefined && said !== name && target.isOwn(connection.value.at))
    throw new AutomationError(
      `${target.overlayFile} says "connection: ${said}", but --to is ${name}`,
      "make both the same, or choose another stack with --stack",
    );
  if (findHeadKey(tree, "workspace") !== workspace) target.overlay.say([{ key: "workspace" }], workspace);
  const needed = common !== undefined || configured !== name;
  if (said !== name && needed) target.overlay.say([{ key: "connection" }], name);
}
