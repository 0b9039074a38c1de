/** Finds the Pulumi project of a workspace file, its stack settings and its backend. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { CliError } from "../../errors.js";

/** File names that Pulumi accepts for a project. */
const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
/** Contains the project when there is no Pulumi.yaml, and the state when there is no login. */
const OWN_FOLDER = ".pulumi-state";
/** The project's name when there is no Pulumi.yaml. */
const OWN_NAME = "workspace-automation";

export interface PulumiProjectFolder {
  /** Folder in which Pulumi runs: that of Pulumi.yaml, or our own beside the workspace file. */
  readonly root: string;
  readonly name: string;
  /** There is no Pulumi.yaml, so workspacectl maintains the project. */
  readonly own: boolean;
  /** `backend.url` of Pulumi.yaml. */
  readonly backendUrl: string | undefined;
}

/** Where Pulumi stores the state. */
export interface Backend {
  readonly url: string;
  /** Environment variables that select it. */
  readonly env: Record<string, string>;
  /** Note about the location for the user, if it needs one. */
  readonly notice: string | undefined;
  /** The user has not chosen a backend, so the state is in workspacectl's own folder. */
  readonly isOwn: boolean;
}

/** Finds the nearest Pulumi.yaml at or above the workspace file (or its folder); without one, uses our own project beside the file. */
export function findProject(workspaceFile: string): PulumiProjectFolder {
  const path = resolve(workspaceFile);
  const folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  for (let at = folder; ; at = dirname(at)) {
    const file = PROJECT_FILES.map((name) => join(at, name)).find((path) => existsSync(path));
    if (file !== undefined) return projectOf(file, at);
    if (at === dirname(at))
      return { root: join(folder, OWN_FOLDER), name: OWN_NAME, own: true, backendUrl: undefined };
  }
}

function projectOf(file: string, root: string): PulumiProjectFolder {
  const { name, backend } = readMap(file) as { name?: unknown; backend?: { url?: unknown } };
  if (typeof name !== "string") throw new CliError(`${file} has no name: write "name: ..." into it`);
  const url = backend?.url;
  return { root, name, own: false, backendUrl: typeof url === "string" ? url : undefined };
}

/** Creates the folder of our own project, and that of our own backend. Both are excluded from version control. */
export function prepareProject(project: PulumiProjectFolder, backend?: Backend): void {
  const { own, root, name } = project;
  if (backend?.isOwn) {
    const folder = stateFolder(project);
    makePrivate(folder);
    writeOnce(join(folder, ".gitignore"), "*\n");
  }
  if (!own) return;
  makePrivate(root);
  const file = join(root, "Pulumi.yaml");
  const text = `name: ${name}\nruntime: nodejs\n`;
  // A Pulumi.yaml with other content could name a backend or plugins, so it is replaced.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    rmSync(file, { force: true });
    writeFileSync(file, text, { flag: "wx" });
  }
  writeOnce(join(root, ".gitignore"), "*\n");
}

/** Restricts a state folder to its user, also one that an older release created. */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chmodSync(folder, 0o700);
  } catch {
    // The folder belongs to another user, who decides on its permissions.
  }
}

function writeOnce(path: string, text: string): void {
  if (!existsSync(path)) writeFileSync(path, text);
}

/** Whether the project may have stacks: a backend was chosen, or our own one exists. Creates nothing. */
export function mayHaveStacks(project: PulumiProjectFolder, env: NodeJS.ProcessEnv): boolean {
  if (!existsSync(project.root)) return false;
  return chosenBackend(project, env) !== undefined || existsSync(join(stateFolder(project), ".pulumi"));
}

/** Finds the backend of the environment, the project or the login; else files in the project's folder. Creates nothing. */
export function findBackend(project: PulumiProjectFolder, env: NodeJS.ProcessEnv): Backend {
  const chosen = chosenBackend(project, env);
  const own = stateFolder(project);
  const hasOwnState = existsSync(join(own, ".pulumi"));
  if (chosen) {
    refuseToken(project, env);
    const notice = hasOwnState ? `State: ${chosen}. An older state in ${own} is not used.` : undefined;
    return { url: chosen, env: {}, notice, isOwn: false };
  }
  const url = pathToFileURL(own).href;
  const notice = `State: ${own} (there is no Pulumi login; "workspacectl pulumi -- login" chooses another location)`;
  return { url, env: { PULUMI_BACKEND_URL: url }, notice, isOwn: true };
}

const PULUMI_CLOUD = "https://api.pulumi.com";

/** Refuses a backend chosen by a file of the checkout, because Pulumi would send it PULUMI_ACCESS_TOKEN. */
function refuseToken({ backendUrl, root }: PulumiProjectFolder, env: NodeJS.ProcessEnv): void {
  const chosen = env["PULUMI_BACKEND_URL"] ? undefined : backendUrl;
  if (!chosen || !/^https?:/.test(chosen) || !env["PULUMI_ACCESS_TOKEN"]) return;
  const bare = (address: string) => address.replace(/\/+$/, "");
  if ([PULUMI_CLOUD, env["PULUMI_API"] || PULUMI_CLOUD].map(bare).includes(bare(chosen))) return;
  throw new CliError(
    `Pulumi.yaml in ${root} chooses the backend ${chosen}, and PULUMI_ACCESS_TOKEN does not say which it is for: set ` +
      `PULUMI_BACKEND_URL=${chosen} beside the token if it is; nothing was sent`,
  );
}

function chosenBackend({ backendUrl }: PulumiProjectFolder, env: NodeJS.ProcessEnv): string | undefined {
  return env["PULUMI_BACKEND_URL"] || backendUrl || currentLogin(env);
}

/** The folder of the state when no backend was chosen. */
function stateFolder({ own, root }: PulumiProjectFolder): string {
  return own ? root : join(root, OWN_FOLDER);
}

/** A private folder for copies of states, which version control excludes. */
export function backupFolder(project: PulumiProjectFolder): string {
  const folder = stateFolder(project);
  makePrivate(folder);
  writeOnce(join(folder, ".gitignore"), "*\n");
  return join(folder, "backups");
}

/** The backend of `pulumi login`. */
function currentLogin(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  const file = join(env["PULUMI_CREDENTIALS_PATH"] || home, "credentials.json");
  const current = existsSync(file) ? readMap(file)["current"] : undefined;
  if (typeof current === "string" && current !== "") return current;
  // A token without a login means Pulumi's own service.
  return env["PULUMI_ACCESS_TOKEN"] ? env["PULUMI_API"] || PULUMI_CLOUD : undefined;
}

/** Reads Pulumi.yaml; empty when there is none. */
export function projectSettings(project: PulumiProjectFolder): Record<string, unknown> {
  const file = projectFile(project);
  return file === undefined ? {} : readMap(file);
}

/** The settings file of a stack, if there is one. */
export function stackFile(project: PulumiProjectFolder, stack: string): string | undefined {
  const { stackConfigDir } = projectSettings(project);
  const folder = join(project.root, typeof stackConfigDir === "string" ? stackConfigDir : "");
  // A stack may be named organization/project/stack.
  const name = `Pulumi.${stack.split("/").at(-1) ?? stack}`;
  return [".yaml", ".yml", ".json"].map((end) => join(folder, name + end)).find((path) => existsSync(path));
}

/** Path of the project's Pulumi.yaml; undefined while there is none. */
export function projectFile({ root }: PulumiProjectFolder): string | undefined {
  return PROJECT_FILES.map((name) => join(root, name)).find((path) => existsSync(path));
}

/** Reads the settings of a stack; empty when there is no file. */
export function stackSettings(project: PulumiProjectFolder, stack: string): Record<string, unknown> {
  const file = stackFile(project, stack);
  return file === undefined ? {} : readMap(file);
}

/** Lists the keys in the configuration of a stack, with namespaces; undefined when other sources may add keys. */
export function configuredKeys(project: PulumiProjectFolder, stack: string): ReadonlySet<string> | undefined {
  const general = projectSettings(project);
  const own = stackSettings(project, stack);
  if (own["environment"] !== undefined || general["stackConfigDir"] !== undefined) return undefined;
  const keys = [general["config"], own["config"]].flatMap((config) =>
    typeof config === "object" && config !== null ? Object.keys(config) : [],
  );
  return new Set(keys.map((key) => (key.includes(":") ? key : `${project.name}:${key}`)));
}

/** Reads the configuration for all stacks in Pulumi.yaml, in the form of `pulumi config --json`. */
export function generalConfig(project: PulumiProjectFolder): Record<string, { value: string }> {
  return valuesOf(projectSettings(project)["config"], project);
}

/** The plain values of a configuration, by full key. */
export function valuesOf(config: unknown, project: PulumiProjectFolder): Record<string, { value: string }> {
  const entries = Object.entries(typeof config === "object" && config !== null ? config : {});
  return Object.fromEntries(
    entries.flatMap(([key, entry]: [string, unknown]) => {
      const isMap = typeof entry === "object" && entry !== null;
      const { value, default: fallback } = (isMap ? entry : { value: entry }) as {
        value?: unknown;
        default?: unknown;
      };
      const full = key.includes(":") ? key : `${project.name}:${key}`;
      const given = value ?? fallback;
      // `allowInsecure: true` is a boolean to YAML, and a text to Pulumi.
      const isScalar = ["string", "boolean", "number"].includes(typeof given);
      return isScalar ? [[full, { value: String(given) }]] : [];
    }),
  );
}

/** Whether the configuration may contain connection settings. Only then Pulumi has to be run for it. */
export function mayConfigure({ root }: PulumiProjectFolder): boolean {
  if (!existsSync(root)) return false;
  return readdirSync(root)
    .filter((name) => /^Pulumi(\..+)?\.(ya?ml|json)$/.test(name))
    .map((name) => readFileSync(join(root, name), "utf8"))
    .some((text) => /workspace-automation:\w|^environment:|^stackConfigDir:/m.test(text));
}

function readMap(file: string): Record<string, unknown> {
  try {
    const value: unknown = parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
