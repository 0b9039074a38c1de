/** Collects the content of a first workspace file from options and prompts. */
import { withClient } from "../../../automation/connection/api-client.js";
import { readLogins } from "../../../automation/connection/connection.js";
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import {
  isServiceError,
  type ProjectSummary,
  type WorkspaceAutomationClient,
} from "../../../client/index.js";
import { type Connection, type Credentials, resolveConnection } from "../../../provider/index.js";
import type { Io } from "../../../reports/io.js";
import { StateAddress } from "../../../trust/state-address.js";
import { isBackend, LOCAL } from "./first-files.js";
import type { ExistingProject, ExistingStrategy, InitOptions } from "./init-command.js";

export interface InitAnswers {
  readonly workspace: string | undefined;
  readonly connection: string | undefined;
  /** The connection has an address and a token, from a login or the environment. */
  readonly known: boolean;
  readonly projects: readonly string[];
  readonly existing: readonly ExistingProject[];
  readonly members: readonly string[];
  /** The members who are administrators. */
  readonly admins: readonly string[];
  readonly pulumi: boolean;
  /** Address of the state; undefined for the local folder. */
  readonly backend: StateAddress | undefined;
}

/**
 * Uses the options, and prompts for the rest.
 * @throws {AutomationError} when there is no terminal and no `--yes`, or the prompts are cancelled
 */
export async function collectAnswers(flags: InitOptions, io: Io): Promise<InitAnswers> {
  const ask = flags.yes !== true;
  if (ask && !io.interactive) {
    throw new AutomationError(
      "there is no terminal to ask for the content of the file",
      "add --yes, and options that say it: --workspace DOMAIN, --project NAME, --member ADDRESS",
    );
  }
  if (flags.backend !== undefined) requireBackend(flags.backend);
  if (flags.workspace?.trim() === "")
    throw new AutomationError(
      "--workspace is empty",
      "add the domain of the workspace, such as --workspace acme",
    );
  const credentials = readLogins(io.env);
  const questions = ask ? await import("./questions.js") : undefined;
  const known = Object.keys(credentials.connections);
  const connection = flags.connection ?? (await questions?.askForConnection(known, io));
  const found = ask || flags.existing ? await look(connection, flags.workspace, credentials, io) : undefined;
  const kept = connection === undefined ? undefined : credentials.connections[connection]?.workspace;
  const workspace =
    flags.workspace ?? (questions ? await questions.askForWorkspace(kept ?? found?.workspace, io) : kept);
  const there = found?.workspace === workspace ? (found?.projects ?? []) : [];
  const existing = flags.existing
    ? there.map((each) => createExistingProject(each, flags.existing ?? "external"))
    : ((await questions?.askForExisting(
        there.map((each) => createExistingProject(each, "external")),
        io,
      )) ?? []);
  const taken = new Set(there.map(({ name }) => name));
  const projects = flags.project ?? (await questions?.askForProjects(taken, io)) ?? [];
  const duplicate = projects.find((name) => taken.has(name));
  if (duplicate !== undefined) {
    throw new AutomationError(
      `project ${duplicate} already exists in workspace ${workspace}`,
      "manage it with --existing adopt, only refer to it with --existing external, or choose another name",
    );
  }
  const invited = flags.member ?? (flags.admin ? [] : ((await questions?.askForMembers(io)) ?? []));
  const members = [...new Set([...(flags.admin ?? []), ...invited])];
  const admins = flags.admin ?? (await questions?.askForAdmins(members, io)) ?? [];
  const pulumi = flags.pulumi ?? (await questions?.wantsPulumi(io)) ?? false;
  const backend = flags.backend ?? (await questions?.askForBackend(io)) ?? LOCAL;
  return {
    workspace,
    connection,
    known: findConnectionTo(connection, credentials, io) !== undefined,
    projects,
    existing,
    members,
    admins,
    pulumi,
    backend: backend === LOCAL ? undefined : new StateAddress(backend),
  };
}

function createExistingProject(
  { name, display_name }: ProjectSummary,
  strategy: ExistingStrategy,
): ExistingProject {
  return {
    name,
    displayName: display_name !== name && display_name ? display_name : undefined,
    strategy,
  };
}

interface Found {
  readonly workspace: string;
  readonly projects: readonly ProjectSummary[];
}

/** Returns undefined when there is no login yet, which the result mentions. */
function findConnectionTo(
  name: string | undefined,
  credentials: Credentials,
  io: Io,
): Connection | undefined {
  try {
    return resolveConnection({ explicit: { connection: name }, env: io.env, credentials });
  } catch {
    return undefined;
  }
}

/** Reads the workspace and its projects, if the service can be reached: it is not required. */
async function look(
  name: string | undefined,
  wanted: string | undefined,
  credentials: Credentials,
  io: Io,
): Promise<Found | undefined> {
  const connection = findConnectionTo(name, credentials, io);
  if (connection === undefined) return undefined;
  const read = async (client: WorkspaceAutomationClient) => {
    const [first, second] = await client.workspaces.list().toArray();
    const workspace = wanted ?? connection.workspace ?? (second === undefined ? first?.domain : undefined);
    if (workspace == null) return undefined;
    return { workspace, projects: await client.projects.list(workspace).toArray() };
  };
  try {
    return await withClient(connection, io, read, { retry: { limit: 0 } });
  } catch (error) {
    if (!isServiceError(error)) throw error;
    note(io, `note: the existing objects could not be read: ${error.message}`);
    return undefined;
  }
}

/** @throws {AutomationError} when it is not an address */
function requireBackend(backend: string): void {
  if (isBackend(backend)) return;
  throw new AutomationError(
    `--backend ${String(new StateAddress(backend))} is not the address of a state`,
    `use "${LOCAL}", or an address such as s3://bucket or https://api.pulumi.com`,
  );
}
