/** Which backend stores the state, and so gets the credentials of the run. */
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInside } from "./checkout.js";
import { TrustError } from "./errors.js";
import { StateAddress } from "./state-address.js";

export interface BackendSources {
  /** PULUMI_BACKEND_URL. */
  readonly environment: StateAddress | undefined;
  /** The backend that a file of the checkout names: Pulumi.yaml (`backend.url`), or a fleet file. */
  readonly project: StateAddress | undefined;
  /** That file, for messages. */
  readonly file: string;
  /** The backend of `pulumi login`. */
  readonly login: StateAddress | undefined;
  /** Addresses that a login has stored, some with a token. */
  readonly accounts: readonly StateAddress[];
  /** PULUMI_ACCESS_TOKEN is set: Pulumi sends it to whatever service it talks to. */
  readonly hasToken: boolean;
  /** Folder to which a relative address refers. */
  readonly root: string;
  /** Root of the checkout. */
  readonly checkout: string;
}

export interface ChosenBackend {
  /** With an absolute path. */
  readonly url: StateAddress;
  /** Named by the environment or a login, so that its state is trusted. */
  readonly isOutside: boolean;
}

/**
 * Chooses the backend: the environment's, else the project's, else the login's. A project may name a folder of the checkout, or choose what
 * the environment or a login knows anyway.
 * @returns undefined when nothing names one
 * @throws {TrustError} for an address that only the checkout names
 */
export function chooseBackend(sources: BackendSources): ChosenBackend | undefined {
  const { environment, project, login, root } = sources;
  if (environment) return { url: makeAddressAbsolute(environment, root), isOutside: true };
  if (project !== undefined) return chooseBackendOfProject(makeAddressAbsolute(project, root), sources);
  return login ? { url: makeAddressAbsolute(login, root), isOutside: true } : undefined;
}

function chooseBackendOfProject(
  url: StateAddress,
  { file, login, accounts, hasToken, root, checkout }: BackendSources,
): ChosenBackend {
  const folder = findFolder(url);
  if (login !== undefined && url.equals(makeAddressAbsolute(login, root))) return { url, isOutside: true };
  if (folder !== undefined && isInside(checkout, folder)) return { url, isOutside: false };
  // A stored token is for its address alone. One in the environment does not say whom it is for.
  const mayGetToken = !url.isOfService || !hasToken;
  if (mayGetToken && accounts.some((account) => url.equals(makeAddressAbsolute(account, root))))
    return { url, isOutside: true };
  throw new TrustError(
    "address",
    `${file} says that the state is in ${String(url)}, but no environment variable or login of yours does, so nothing was sent there`,
    `If that address may get your credentials, ${formatLogin(url)}set PULUMI_BACKEND_URL to it`,
  );
}

/** Of an address that is one word for every shell, and that a message shows wholly. */
function formatLogin(url: StateAddress): string {
  const text = String(url);
  if (url.whole !== text || !/^[\w:/.@-]+$/.test(text)) return "";
  return `log in to it once ("workspacectl pulumi -- login ${text}"), or `;
}

/** The folder of a file-based backend. */
export function findFolder({ scheme, whole }: StateAddress): string | undefined {
  return scheme === "file" ? fileURLToPath(whole) : undefined;
}

/** Replaces the path of a file-based backend, which Pulumi would resolve against its working directory, by an absolute one. */
export function makeAddressAbsolute(address: StateAddress, root: string): StateAddress {
  if (address.scheme !== "file") return address;
  const path = address.whole.slice("file:".length).replace(/^\/\//, "");
  const home = path.replace(/^~(?=\/|$)/, homedir());
  if (home !== path) return createFolderAddress(home);
  if (isAbsolute(path)) return new StateAddress(new URL(address.whole).href);
  return createFolderAddress(resolve(join(root, path)));
}

/** The address of a state in a folder. */
export function createFolderAddress(folder: string): StateAddress {
  return new StateAddress(pathToFileURL(folder).href);
}
