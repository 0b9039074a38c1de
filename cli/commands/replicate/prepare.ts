/** Prepares the overlay in memory, and checks the prerequisites in the target. */
import type { Integration } from "../../../client/index.js";
import type { Connection } from "../../../provider/index.js";
import type { Io } from "../../terminal/io.js";
import type { Mapping } from "./mapping-file.js";
import { withClient } from "../../connection/api-client.js";
import type { WorkspaceConnection } from "../../connection/connection.js";
import { findProject, stackSettings } from "../../engine/stack/project.js";
import { setHead } from "./connections.js";
import { findForeignNumbers, findMissingExternals } from "./externals.js";
import { mapIntegrations } from "./integrations.js";
import type { MissingPrerequisite } from "./missing-in-target.js";
import type { ReplicationTarget } from "./target-document.js";
import { findMissingConfiguration, findMissingVariables } from "./placeholders-without-values.js";
import { applyWatchList } from "./limit-kinds.js";
import { overrideUses, findUses } from "./uses-in-document.js";

export interface Between {
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
  io: Io,
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

function listIntegrations(connection: Connection, io: Io): Promise<readonly Integration[]> {
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
