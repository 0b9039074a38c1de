/** Finds the backend that stores the state. trust/backend.ts decides which may get credentials. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { chooseBackend, createFolderAddress, findFolder } from "../../trust/backend.js";
import { findCheckouts, isInside } from "../../trust/checkout.js";
import { refuseLinkedFolder } from "../../trust/output-files.js";
import { refuseInRepository } from "../../trust/programs.js";
import { StateAddress } from "../../trust/state-address.js";
import { AutomationError } from "../errors.js";
import { getStateFolder, type PulumiProjectFolder } from "./project.js";

/** Where Pulumi stores the state. */
export interface Backend {
  /** With an absolute path, if it is a folder. */
  readonly url: StateAddress;
  /** Note about the location for the user, if it needs one. */
  readonly notice: string | undefined;
  /** The user has not chosen a backend, so the state is in workspacectl's own folder. */
  readonly isOwn: boolean;
  /** The environment or a login names it, so the author of a change cannot have written its state. */
  readonly isOutside: boolean;
}

/** Set by a fleet: the backend that its file names for a workspace, as Pulumi.yaml does for a project. */
export const PROJECT_BACKEND = "WORKSPACE_AUTOMATION_PROJECT_BACKEND";

const PULUMI_CLOUD = "https://api.pulumi.com";

/** Finds the backend of the environment, the project or the login; else files in the project's folder. Creates nothing. */
export function findBackend(project: PulumiProjectFolder, env: NodeJS.ProcessEnv): Backend {
  const own = getStateFolder(project);
  const ownUrl = createFolderAddress(own);
  const { current, accounts, encryptedFile } = readPulumiLogins(project, env);
  const isNamed = Boolean(env["PULUMI_BACKEND_URL"] || env[PROJECT_BACKEND] || project.settings.backendUrl);
  if (encryptedFile !== undefined && !isNamed) throw createEncryptedError(encryptedFile);
  const chosen = chooseBackend({
    environment: StateAddress.in(env["PULUMI_BACKEND_URL"]),
    project: StateAddress.in(env[PROJECT_BACKEND]) ?? project.settings.backendUrl,
    file: env[PROJECT_BACKEND] ? "the fleet file" : `Pulumi.yaml in ${project.root}`,
    // A token without a login means Pulumi's own service.
    login: current ?? StateAddress.in(env["PULUMI_ACCESS_TOKEN"] && (env["PULUMI_API"] || PULUMI_CLOUD)),
    accounts,
    hasToken: Boolean(env["PULUMI_ACCESS_TOKEN"]),
    root: project.root,
    checkout: project.checkout,
  });
  refuseLinks(chosen?.url ?? ownUrl, project);
  if (chosen === undefined) {
    const notice = `State: ${own}, on this machine only, because there is no Pulumi login. Keep a copy of it, or choose another place with "workspacectl pulumi -- login".`;
    return { url: ownUrl, notice, isOwn: true, isOutside: false };
  }
  const isHidden = existsSync(join(own, ".pulumi")) && !chosen.url.equals(ownUrl);
  const notice = isHidden ? `State: ${String(chosen.url)}. An older state in ${own} is not used.` : undefined;
  return { ...chosen, notice, isOwn: false };
}

/** The author of a change may have put links into a state in the checkout, to have Pulumi write elsewhere. */
function refuseLinks(url: StateAddress, { checkout }: PulumiProjectFolder): void {
  const folder = findFolder(url);
  if (folder !== undefined && (isInside(checkout, folder) || isInside(checkout, dirname(folder))))
    refuseLinkedFolder(folder);
}

/** Whether the project may have stacks: a backend was chosen, or our own one exists. Creates nothing. */
export function mayHaveStacks(project: PulumiProjectFolder, backend: Backend): boolean {
  return !backend.isOwn || existsSync(join(getStateFolder(project), ".pulumi"));
}

/** The folder in which Pulumi stores logins and selected stacks. */
export function getPulumiHome(env: NodeJS.ProcessEnv): string {
  return env["PULUMI_HOME"] || join(homedir(), ".pulumi");
}

/** The folder of the logins. */
export function loginFolder(env: NodeJS.ProcessEnv): string {
  return env["PULUMI_CREDENTIALS_PATH"] || getPulumiHome(env);
}

interface PulumiLogins {
  readonly current: StateAddress | undefined;
  readonly accounts: StateAddress[];
  /** The file of the logins, if only Pulumi can read it. */
  readonly encryptedFile?: string;
}

/** @throws {TrustError} when the environment keeps them in the checkout, where the author of a change could choose a backend */
function readPulumiLogins({ checkout }: PulumiProjectFolder, env: NodeJS.ProcessEnv): PulumiLogins {
  const file = join(loginFolder(env), "credentials.json");
  if (!existsSync(file)) return { current: undefined, accounts: [] };
  const remedy =
    "Set PULUMI_HOME or PULUMI_CREDENTIALS_PATH to a folder outside of it, and log in again; or set PULUMI_BACKEND_URL and remove the file.";
  refuseInRepository("Pulumi's credentials file", file, findCheckouts(process.cwd(), checkout), remedy);
  try {
    const {
      current,
      accounts = {},
      accessTokens = {},
      $pulumiSecureStore: encryption,
    } = JSON.parse(readFileSync(file, "utf8")) as {
      current?: string;
      accounts?: Readonly<Record<string, unknown>>;
      accessTokens?: Readonly<Record<string, unknown>>;
      $pulumiSecureStore?: unknown;
    };
    if (encryption !== undefined) return { current: undefined, accounts: [], encryptedFile: file };
    const known = Object.keys({ ...accessTokens, ...accounts });
    return { current: StateAddress.in(current), accounts: known.map((one) => new StateAddress(one)) };
  } catch {
    throw new AutomationError(
      `${file}, in which Pulumi keeps its logins, is damaged (not JSON)`,
      'delete it, and log in again with "workspacectl pulumi -- login"',
    );
  }
}

/** Without the name of the state, a run would go on with another one, which is empty. */
function createEncryptedError(file: string): AutomationError {
  return new AutomationError(
    `${file}, in which Pulumi keeps its logins, is encrypted, so only Pulumi can tell where the state is`,
    [
      'set PULUMI_BACKEND_URL to the address that "pulumi whoami --verbose" prints',
      'or log in again with "PULUMI_CREDENTIAL_STORE=plaintext pulumi login <address>"',
    ],
  );
}
