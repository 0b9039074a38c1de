/** The Pulumi project of a workspace file: its name, where its stacks are configured, where their state is kept. */
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

/** What `Pulumi.yaml` may be called. */
const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];
/** Holds the project when there is no Pulumi.yaml, and the state when there is no login. */
const OWN_FOLDER = ".pulumi-state";
/** The project's name when there is no Pulumi.yaml. */
const OWN_NAME = "workspace-automation";

export interface Project {
  /** Folder in which Pulumi runs: that of Pulumi.yaml, or our own beside the workspace file. */
  readonly root: string;
  readonly name: string;
  /** There is no Pulumi.yaml: the project is ours. */
  readonly own: boolean;
  /** `backend.url` of Pulumi.yaml. */
  readonly backendUrl: string | undefined;
}

/** Where Pulumi keeps the state. */
export interface Backend {
  readonly url: string;
  /** Variables that make Pulumi use it. */
  readonly env: Record<string, string>;
  /** What to tell when nobody chose it. */
  readonly notice: string | undefined;
  /** Nobody chose it: it is a folder of ours. */
  readonly isOwn: boolean;
}

/** The project of the nearest Pulumi.yaml at or above the workspace file (or its folder); without one, a project of our own beside it. */
export function findProject(workspaceFile: string): Project {
  const place = resolve(workspaceFile);
  const folder = existsSync(place) && statSync(place).isDirectory() ? place : dirname(place);
  for (let at = folder; ; at = dirname(at)) {
    const file = PROJECT_FILES.map((name) => join(at, name)).find((path) => existsSync(path));
    if (file !== undefined) return projectOf(file, at);
    if (at === dirname(at))
      return { root: join(folder, OWN_FOLDER), name: OWN_NAME, own: true, backendUrl: undefined };
  }
}

function projectOf(file: string, root: string): Project {
  const { name, backend } = readMap(file) as { name?: unknown; backend?: { url?: unknown } };
  if (typeof name !== "string") throw new CliError(`${file} has no name: write "name: ..." into it`);
  const url = backend?.url;
  return { root, name, own: false, backendUrl: typeof url === "string" ? url : undefined };
}

/**
 * Makes the folder of a project of our own, and that of the state when nobody chose a place for it. They are kept out of
 * version control.
 */
export function prepareProject(project: Project, backend?: Backend): void {
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
  // Another one is not ours, whoever put it there: it could name a backend, or plugins.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
    rmSync(file, { force: true });
    writeFileSync(file, text, { flag: "wx" });
  }
  writeOnce(join(root, ".gitignore"), "*\n");
}

/** A folder of state is its user's alone, also one that an older release made. */
function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    chmodSync(folder, 0o700);
  } catch {
    // Another user's: what it allows is theirs to say.
  }
}

function writeOnce(path: string, text: string): void {
  if (!existsSync(path)) writeFileSync(path, text);
}

/** Whether there may be stacks of the project: somebody chose a place for them, or ours is there. Makes nothing. */
export function mayHaveStacks(project: Project, env: NodeJS.ProcessEnv): boolean {
  if (!existsSync(project.root)) return false;
  return chosenBackend(project, env) !== undefined || existsSync(join(stateFolder(project), ".pulumi"));
}

/** The backend: a variable's, the project's, the current login's; else files in the project's folder. Makes nothing. */
export function findBackend(project: Project, env: NodeJS.ProcessEnv): Backend {
  const chosen = chosenBackend(project, env);
  const own = stateFolder(project);
  const kept = existsSync(join(own, ".pulumi"));
  if (chosen) {
    refuseToken(project, env);
    const notice = kept ? `State: ${chosen}. An older state in ${own} is not used.` : undefined;
    return { url: chosen, env: {}, notice, isOwn: false };
  }
  const url = pathToFileURL(own).href;
  const notice = `State: ${own} (there is no Pulumi login; "workspacectl pulumi -- login" chooses another place)`;
  return { url, env: { PULUMI_BACKEND_URL: url }, notice, isOwn: true };
}

const PULUMI_CLOUD = "https://api.pulumi.com";

/** Pulumi sends PULUMI_ACCESS_TOKEN to whatever address is chosen: a file of the checkout must not choose it. */
function refuseToken({ backendUrl, root }: Project, env: NodeJS.ProcessEnv): void {
  const chosen = env["PULUMI_BACKEND_URL"] ? undefined : backendUrl;
  if (!chosen || !/^https?:/.test(chosen) || !env["PULUMI_ACCESS_TOKEN"]) return;
  const bare = (address: string) => address.replace(/\/+$/, "");
  if ([PULUMI_CLOUD, env["PULUMI_API"] || PULUMI_CLOUD].map(bare).includes(bare(chosen))) return;
  throw new CliError(
    `Pulumi.yaml in ${root} chooses the backend ${chosen}, and PULUMI_ACCESS_TOKEN does not say which it is for: set ` +
      `PULUMI_BACKEND_URL=${chosen} beside the token if it is; nothing was sent`,
  );
}

function chosenBackend({ backendUrl }: Project, env: NodeJS.ProcessEnv): string | undefined {
  return env["PULUMI_BACKEND_URL"] || backendUrl || currentLogin(env);
}

/** Where the state is kept when nobody chose a place. */
function stateFolder({ own, root }: Project): string {
  return own ? root : join(root, OWN_FOLDER);
}

/** Where `pulumi login` has logged in. */
function currentLogin(env: NodeJS.ProcessEnv): string | undefined {
  const home = env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  const file = join(env["PULUMI_CREDENTIALS_PATH"] || home, "credentials.json");
  const current = existsSync(file) ? readMap(file)["current"] : undefined;
  if (typeof current === "string" && current !== "") return current;
  // A token without a login means Pulumi's own service.
  return env["PULUMI_ACCESS_TOKEN"] ? env["PULUMI_API"] || PULUMI_CLOUD : undefined;
}

/** What Pulumi.yaml says; empty when there is none. */
export function projectSettings(project: Project): Record<string, unknown> {
  const file = projectFile(project);
  return file === undefined ? {} : readMap(file);
}

/** The settings file of a stack, if there is one. */
export function stackFile(project: Project, stack: string): string | undefined {
  const { stackConfigDir } = projectSettings(project);
  const folder = join(project.root, typeof stackConfigDir === "string" ? stackConfigDir : "");
  // A stack may be named organization/project/stack.
  const name = `Pulumi.${stack.split("/").at(-1) ?? stack}`;
  return [".yaml", ".yml", ".json"].map((end) => join(folder, name + end)).find((path) => existsSync(path));
}

/** The project's own file; undefined while there is none. */
export function projectFile({ root }: Project): string | undefined {
  return PROJECT_FILES.map((name) => join(root, name)).find((path) => existsSync(path));
}

/** The settings of a stack; empty when there is no file. */
export function stackSettings(project: Project, stack: string): Record<string, unknown> {
  const file = stackFile(project, stack);
  return file === undefined ? {} : readMap(file);
}

/**
 * Keys that the configuration of a stack has, with their namespaces; undefined when more than these files may say it.
 */
export function configuredKeys(project: Project, stack: string): ReadonlySet<string> | undefined {
  const general = projectSettings(project);
  const own = stackSettings(project, stack);
  if (own["environment"] !== undefined || general["stackConfigDir"] !== undefined) return undefined;
  const keys = [general["config"], own["config"]].flatMap((config) =>
    typeof config === "object" && config !== null ? Object.keys(config) : [],
  );
  return new Set(keys.map((key) => (key.includes(":") ? key : `${project.name}:${key}`)));
}

/** What Pulumi.yaml says for all stacks, in the form in which Pulumi tells a stack's configuration. */
export function generalConfig(project: Project): Record<string, { value: string }> {
  return valuesOf(projectSettings(project)["config"], project);
}

/** The plain texts of a configuration, by full key. */
export function valuesOf(config: unknown, project: Project): Record<string, { value: string }> {
  const entries = Object.entries(typeof config === "object" && config !== null ? config : {});
  return Object.fromEntries(
    entries.flatMap(([key, said]: [string, unknown]) => {
      const isMap = typeof said === "object" && said !== null;
      const { value, default: usual } = (isMap ? said : { value: said }) as {
        value?: unknown;
        default?: unknown;
      };
      const full = key.includes(":") ? key : `${project.name}:${key}`;
      const given = value ?? usual;
      // `allowInsecure: true` is a boolean to YAML, and a text to Pulumi.
      const isScalar = ["string", "boolean", "number"].includes(typeof given);
      return isScalar ? [[full, { value: String(given) }]] : [];
    }),
  );
}

/** Whether a configuration may say something about the connection; only then Pulumi has to be asked for it. */
export function mayConfigure({ root }: Project): boolean {
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
