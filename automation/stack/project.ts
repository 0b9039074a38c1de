/** Finds the Pulumi project of a workspace file, and reads the settings of its stacks. trust/project.ts decides which of them are used. */
import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { findCheckoutRoot, isInside, isRepository } from "../../trust/checkout.js";
import { readText } from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import { makePrivateFolder, writeOnce } from "../../trust/output-files.js";
import {
  type ProjectSettings,
  type StackSettings,
  takeProjectSettings,
  takeStackSettings,
} from "../../trust/project.js";
import { parseFailure } from "../../trust/quoting.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { AutomationError } from "../errors.js";

/** Endings that Pulumi accepts for the files of a project and of a stack. */
const ENDINGS = [".yaml", ".yml", ".json"];
/** Contains the state when there is neither a login nor a Pulumi.yaml that names another place. */
const OWN_FOLDER = ".pulumi-state";
/** The project's name when there is no Pulumi.yaml. */
const OWN_NAME = "workspace-automation";

export interface PulumiProjectFolder {
  /** Folder of Pulumi.yaml, or our own next to the workspace file. */
  readonly root: string;
  /** Root of the checkout: what a pull request can change. */
  readonly checkout: string;
  readonly name: string;
  /** There is no Pulumi.yaml, so workspacectl maintains the project. */
  readonly own: boolean;
  readonly settings: ProjectSettings;
}

/**
 * Finds the nearest Pulumi.yaml at or above the workspace file (or its folder), but not above the repository; without one, uses our own
 * project next to the file. Without version control, the folder of Pulumi.yaml is the checkout.
 */
export function findProject(workspaceFile: string): PulumiProjectFolder {
  const path = resolve(workspaceFile);
  const folder = existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
  const checkout = findCheckoutRoot(folder);
  const repository = isRepository(checkout) ? checkout : undefined;
  for (let at = folder; ; at = dirname(at)) {
    const file = findOnlyFile(at, "Pulumi");
    if (file !== undefined && isOfSameOwner(file, folder)) return toProjectFolder(file, at, repository ?? at);
    if (at === repository || at === dirname(at)) break;
  }
  const settings = takeProjectSettings({ name: OWN_NAME });
  return { ...locateOwnProject(folder), checkout, own: true, settings };
}

/** The project of a folder without a Pulumi.yaml. */
export function locateOwnProject(folder: string): Pick<PulumiProjectFolder, "root" | "name"> {
  return { root: join(folder, OWN_FOLDER), name: OWN_NAME };
}

function toProjectFolder(file: string, root: string, checkout: string): PulumiProjectFolder {
  const settings = takeProjectSettings(readMap(file));
  const { name } = settings;
  if (name === undefined)
    throw new AutomationError(
      `${file} does not name its project`,
      `add "name: ${OWN_NAME}" if it has a state from the time before this file, and otherwise a line such as "name: my-workspace"`,
    );
  return { root, checkout, name, own: false, settings };
}

/** Whether this user or the owner of the workspace file's folder wrote a file. Another user may have put one into a shared folder above it. */
function isOfSameOwner(file: string, folder: string): boolean {
  const owners = [process.getuid?.(), existsSync(folder) ? statSync(folder).uid : undefined];
  return process.getuid === undefined || owners.includes(statSync(file).uid);
}

/** The path of the project's file in its folder, whether or not it exists. */
export function locateProjectFile(folder: string): string {
  return findOnlyFile(folder, "Pulumi") ?? join(folder, "Pulumi.yaml");
}

/** Makes a folder for its user alone, also one that an older release created, and excludes it from version control. */
export function makePrivate(folder: string): void {
  makePrivateFolder(folder);
  writeOnce(join(folder, ".gitignore"), "*\n");
}

/** The folder of the state when no backend was chosen. */
export function getStateFolder({ own, root }: PulumiProjectFolder): string {
  return own ? root : join(root, OWN_FOLDER);
}

/** A private folder for copies of states, which version control excludes. */
export function getBackupFolder(project: PulumiProjectFolder): string {
  makePrivate(getStateFolder(project));
  return join(getStateFolder(project), "backups");
}

/** The settings file of a stack, if there is one. */
export function stackFile(project: PulumiProjectFolder, stack: string): string | undefined {
  const [file] = listSettingsFolders(project).flatMap(
    (folder) => findOnlyFile(folder, `Pulumi.${getShortName(stack)}`) ?? [],
  );
  return file;
}

/** The folders in which a stack's file may be. A key alone, which the state has too, stays in our own. */
export function listSettingsFolders(project: PulumiProjectFolder): string[] {
  return [getSettingsFolder(project), ...(project.own ? [project.root] : [])];
}

/**
 * The folder of the stacks' files. Without a Pulumi.yaml, it is that of the workspace file, so that they are committed with it.
 * @throws {TrustError} when it lies outside the checkout
 */
export function getSettingsFolder({ root, own, checkout, settings }: PulumiProjectFolder): string {
  if (own) return dirname(root);
  const folder = join(root, settings.stackConfigDir ?? "");
  if (isInside(checkout, folder)) return folder;
  throw new TrustError(
    "path",
    `the files of the stacks (Pulumi.NAME.yaml) of ${root} are in ${folder}, which is outside the checkout`,
    "move them into the checkout, and correct stackConfigDir in Pulumi.yaml",
  );
}

/** Reads the settings of a stack; empty when there is no file. */
export function stackSettings(project: PulumiProjectFolder, stack: string): StackSettings {
  const file = stackFile(project, stack);
  return file === undefined ? { config: {} } : takeStackSettings(readMap(file), file);
}

/** Adds the project's namespace to keys without one. */
export function qualifyConfig(
  config: Readonly<Record<string, unknown>>,
  { name }: Pick<PulumiProjectFolder, "name">,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.includes(":") ? key : `${name}:${key}`, value]),
  );
}

/** Returns the configuration for all stacks in Pulumi.yaml. A declared key has a value or a default. */
export function readGeneralConfig(project: PulumiProjectFolder): Record<string, unknown> {
  const values = Object.entries(project.settings.config).flatMap(([key, entry]): [string, unknown][] => {
    const isDeclared = typeof entry === "object" && entry !== null && !Array.isArray(entry);
    const { value, default: fallback } = (isDeclared ? entry : { value: entry }) as {
      readonly value?: unknown;
      readonly default?: unknown;
    };
    const given = value ?? fallback;
    return given === undefined || given === null ? [] : [[key, given]];
  });
  return qualifyConfig(Object.fromEntries(values), project);
}

/** Lists the keys in the configuration of a stack, with namespaces; undefined when other sources may add keys. */
export function readConfiguredKeys(
  project: PulumiProjectFolder,
  stack: string,
): ReadonlySet<string> | undefined {
  const { config, environment } = stackSettings(project, stack);
  if (environment !== undefined) return undefined;
  return new Set(
    Object.keys({ ...qualifyConfig(project.settings.config, project), ...qualifyConfig(config, project) }),
  );
}

/** Returns a function that tells whether a value of a stack's configuration is encrypted. */
export function findSecretConfig(project: PulumiProjectFolder, stack: string): (key: string) => boolean {
  let config: Readonly<Record<string, unknown>> | undefined;
  return (key) => {
    config ??= qualifyConfig(stackSettings(project, stack).config, project);
    const value = config[key.includes(":") ? key : `${project.name}:${key}`];
    return typeof value === "object" && JSON.stringify(value).includes('"secure":');
  };
}

/** Whether the configuration of a stack may contain connection settings. Only then Pulumi has to be run for it. */
export function mayConfigure(project: PulumiProjectFolder, stack: string): boolean {
  const keys = readConfiguredKeys(project, stack);
  return keys === undefined || [...keys].some((key) => key.startsWith("workspace-automation:"));
}

/** Whether a stack has no settings and no configuration, so that it has names that Pulumi accepts, and nothing else. */
export function hasNoSettings(project: PulumiProjectFolder, stack: string): boolean {
  const isPlain = [project.name, getShortName(stack)].every((name) => /^[\w.-]{1,100}$/.test(name));
  return (
    isPlain && stackFile(project, stack) === undefined && Object.keys(readGeneralConfig(project)).length === 0
  );
}

/** Finds the file of a name with any ending. @throws {AutomationError} when there are several, because tools differ in which they take */
function findOnlyFile(folder: string, name: string): string | undefined {
  const [file, other] = ENDINGS.map((ending) => join(folder, name + ending)).filter((path) =>
    existsSync(path),
  );
  if (file === undefined || other === undefined) return file;
  throw new AutomationError(
    `${file} and ${other} both exist, and tools differ in which of them they read`,
    "delete or rename one of them",
  );
}

/** @throws {AutomationError} when it cannot be parsed. The parser's message is not printed, because it quotes the file. */
function readMap(file: string): unknown {
  const text = readText(file);
  try {
    // Warnings would be printed, and quote the file.
    return parse(text, keepDigits, { logLevel: "error", intAsBigInt: true });
  } catch (error) {
    throw new AutomationError(
      `${file} cannot be read: ${parseFailure(error)}`,
      "Correct it, or restore it from Git",
    );
  }
}

/** JavaScript's numbers have fewer digits than those of Pulumi, which keeps configuration as text. */
function keepDigits(_key: unknown, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}
