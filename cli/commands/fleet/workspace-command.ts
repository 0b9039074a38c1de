/** Determines the arguments and the environment with which `workspacectl` runs for one workspace of a fleet. */
import { AutomationError } from "../../../automation/errors.js";
import { PROJECT_BACKEND } from "../../../automation/stack/backend.js";
import { DATA_FORMAT } from "../../../reports/formats.js";
import type { ViewData } from "../../../reports/view-data.js";
import { formatCommandLine } from "../../../text/safe-text.js";
import { shortenPath } from "../../../text/shown-path.js";
import { findFolder } from "../../../trust/backend.js";
import { isInside } from "../../../trust/checkout.js";
import { refuseMixedPairs } from "../../../trust/connection.js";
import type { StateAddress } from "../../../trust/state-address.js";
import { DEFAULT_FLEET_FILE } from "../../options/document.js";
import { createGuardOptions } from "../../options/guards.js";
import {
  createDetailsOptions,
  createEngineOptions,
  createNoRefreshOption,
  createOnlyOption,
} from "../../options/shared-options.js";
import { findWorkspace, locateFiles } from "./entry-files.js";
import type { FleetEntry } from "./fleet-file.js";

/** Commands that read the files only. */
const offlineCommands = ["validate", "lint", "access"] as const;
export const fleetCommands = ["preview", "up", "drift", ...offlineCommands, "compare"] as const;
export type FleetCommand = (typeof fleetCommands)[number];

/** Whether a command needs neither the service nor the state. */
export function isOffline(command: FleetCommand): boolean {
  return offlineCommands.some((one) => one === command);
}

/** Whether a command plans changes, or makes them. */
export function plansChanges(command: FleetCommand): boolean {
  return command === "preview" || command === "up";
}

/**
 * The variable that names the backend. The file of a pinned entry is not in the checkout, so its process cannot see that a folder of
 * the checkout is allowed.
 */
function variableFor(backend: StateAddress, root: string | undefined): string {
  const folder = root === undefined ? undefined : findFolder(backend);
  return folder !== undefined && root !== undefined && isInside(root, folder) ? BACKEND : PROJECT_BACKEND;
}

const BACKEND = "PULUMI_BACKEND_URL";

interface ChildWork {
  readonly command: FleetCommand;
  /** Further arguments of the user. */
  readonly more: readonly string[];
  /** Policies of the user. */
  readonly policies?: readonly string[] | undefined;
  /** File for what the report says. */
  readonly viewData?: string | undefined;
  /** Fingerprint of the only plan to apply. */
  readonly approved?: string | undefined;
  /** The workspace that a comparison has on its left. */
  readonly left?: FleetEntry | undefined;
}

/** Returns the arguments of the process. */
export function listChildArguments(
  entry: FleetEntry,
  { command, more, policies = [], viewData, approved, left = entry }: ChildWork,
): string[] {
  const policy = ["drift", "access", "compare"].includes(command)
    ? []
    : policies.flatMap((path) => ["--policy", path]);
  if (isOffline(command)) {
    // Only the caller says that a workspace is read.
    const isLive = command === "access" && more.includes("--live");
    const source = isLive ? listConnectionArguments(entry) : ["--offline"];
    return [command, ...listFileArguments(entry), ...policy, ...source, "--format", "json", ...more];
  }
  if (command === "compare")
    return [
      ...["compare", ...listSources(left, entry), "-f", shortenPath(entry.file), "--format", "json"],
      ...(viewData === undefined ? [] : ["--format", `${DATA_FORMAT}=${viewData}`]),
      ...more,
    ];
  return [
    command,
    ...listFileArguments(entry),
    ...listConnectionArguments(entry),
    ...policy,
    // The entry declares its stack, so a new one is no mistyped name.
    ...(command === "up" ? ["--yes", "--create-stack"] : []),
    ...(approved === undefined ? [] : ["--approved", approved]),
    ...(command === "drift" ? ["--format", "json"] : ["--json"]),
    ...(viewData === undefined || command === "up" ? [] : ["--format", `${DATA_FORMAT}=${viewData}`]),
    ...more,
  ];
}

/** What names a fleet, and what all of its commands need. */
export interface FleetWords {
  readonly file: string;
  readonly allowEnv?: readonly string[] | undefined;
  readonly more?: readonly string[] | undefined;
}

/** Reverts by `fleet up`: alone, the workspace would lack the policy of the fleet. */
function formatRevert({ name }: FleetEntry, objects: readonly string[], fleet: FleetWords): string {
  const { file, allowEnv = [], more = [] } = fleet;
  const paths = more.flatMap((word, index) => {
    if (word.startsWith("--allow-path=")) return [word];
    return word === "--allow-path" ? more.slice(index, index + 2) : [];
  });
  return formatCommandLine([
    ...["workspacectl", "fleet", "up", ...(file === DEFAULT_FLEET_FILE ? [] : [file]), "--only", name],
    ...allowEnv.flatMap((pattern) => ["--allow-env", pattern]),
    ...["--", ...paths, ...objects.flatMap((one) => ["--only", one])],
  ]);
}

/**
 * Lets the commands of a report run outside of the process of a workspace: by the fleet, or with the variables that the entry sets, whose
 * values stay in them. What is pinned to a commit has no file that a command could change.
 */
export function adaptCommands(entry: FleetEntry, data: ViewData, fleet?: FleetWords): ViewData {
  const { backend, environment, pinned } = entry;
  const isFolder = backend !== undefined && findFolder(backend) !== undefined;
  const variables = [
    ...Object.entries(environment).map(([to, from]) => `${to}="$${from}" `),
    ...(isFolder ? [`${BACKEND}=${formatCommandLine([backend.whole])} `] : []),
  ].join("");
  const findings = data.findings.map(({ remedies, ...finding }) => {
    if (remedies === undefined) return finding;
    const adapted = remedies.flatMap(({ label, command, objects }) => {
      if (label === "revert" && objects && fleet)
        return [{ label, command: formatRevert(entry, objects, fleet) }];
      return label === "accept" && pinned ? [] : [{ label, command: variables + command }];
    });
    return { ...finding, remedies: adapted };
  });
  return { ...data, findings };
}

/** Returns those arguments of `up` that a preview of the same plan needs as well. */
export function listPreviewArguments(more: readonly string[]): string[] {
  const options = [
    ...createEngineOptions(),
    ...createDetailsOptions(),
    createOnlyOption(),
    createNoRefreshOption(),
    ...createGuardOptions(),
  ];
  return more.flatMap((arg, index) => {
    const [flag = ""] = arg.split("=", 1);
    const option = options.find(({ short, long }) => flag === short || flag === long);
    if (option === undefined) return [];
    return arg === flag && (option.required || option.optional) ? more.slice(index, index + 2) : [arg];
  });
}

/** Returns what to compare: live workspaces if both have a connection, else the states. The states know the people. */
function listSources(left: FleetEntry, right: FleetEntry): string[] {
  const toStack = ({ stack, file }: FleetEntry) => `stack:${stack}@${file}`;
  if (left.connection === undefined || right.connection === undefined) return [toStack(left), toStack(right)];
  const toLive = (entry: FleetEntry) =>
    `connection:${[entry.connection, findWorkspace(entry)].filter((part) => part !== undefined).join("/")}`;
  return [toLive(left), toLive(right), "--left-people", toStack(left), "--right-people", toStack(right)];
}

const listConnectionArguments = ({ connection }: FleetEntry) =>
  connection === undefined ? [] : ["--connection", connection];

/** Returns the arguments for the files of a workspace, and its stack. */
function listFileArguments(entry: FleetEntry): string[] {
  const { file, stack, overlays, allowPaths } = locateFiles(entry);
  const each = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  return [
    ...["--file", shortenPath(file), "--stack", stack],
    ...each("--overlay", overlays.map(shortenPath)),
    ...each("--allow-path", allowPaths.map(shortenPath)),
  ];
}

/**
 * Returns the environment of the process: that of the caller, with the variables of the entry.
 * @param offline the command needs none of these variables
 * @throws {AutomationError} when one of these is not set, {TrustError} when a token would get to another address than the one next to it
 */
export function buildEnvironment(
  { name, stack, backend, environment, pinned }: FleetEntry,
  env: NodeJS.ProcessEnv,
  offline: boolean = false,
): NodeJS.ProcessEnv {
  const missing = Object.values(environment).filter((from) => env[from] === undefined);
  if (missing.length > 0 && !offline)
    throw new AutomationError(
      `the workspace ${name} of the fleet needs environment variables that are not set: ${missing.join(", ")}`,
      "set them before you run the command, or correct `environment` of this workspace in the fleet file",
    );
  refuseMixedPairs(environment, env);
  return {
    ...env,
    ...Object.fromEntries(Object.entries(environment).map(([to, from]) => [to, env[from]])),
    ...(backend === undefined ? {} : { [variableFor(backend, pinned?.root)]: backend.whole }),
    // A stack that is created in a fleet does not become the one that the user's own commands take.
    PULUMI_STACK: stack,
  };
}
