/** Handles a stack that does not exist: its configuration, an error, a trial on an empty temporary state, or creation. It is never created silently. */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { formatCount } from "../../diff/format-count.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { AutomationError } from "../errors.js";
import { formatNextCommand, type StackWords } from "../next-command.js";
import { note, type Port } from "../port.js";
import type { Backend } from "./backend.js";
import { hasPassphrase } from "./passphrase.js";
import {
  hasNoSettings,
  type PulumiProjectFolder,
  qualifyConfig,
  readGeneralConfig,
  stackFile,
  stackSettings,
} from "./project.js";
import { type PulumiCli, readConfig, runPulumi } from "./pulumi.js";
import { selectStack, type StackChoice } from "./stack-choice.js";
import { createEmptyState, locateStateFile } from "./state.js";
import { findStateStore } from "./state-store.js";

/** The stack that a command asks for, whether or not it exists. */
export interface StackTarget extends StackChoice {
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  readonly cli: PulumiCli;
}

/** What to do when the stack does not exist. */
export type WhenMissing =
  /** Fail. */
  | "refuse"
  /** Run the operation on an empty state that is discarded afterwards. */
  | "try"
  /** Create it after a confirmation on the terminal. */
  | "ask"
  | "create";

export interface CreateOption {
  /** Create the stack if it does not exist, or the one with this name. */
  readonly createStack?: boolean | string;
}

/** Lets `--create-stack us` name the stack, too. @throws {AutomationError} when --stack names another */
export function withCreatedStack<O extends CreateOption & { readonly stack?: string }>(options: O): O {
  const { createStack, stack = createStack } = options;
  if (typeof createStack !== "string" || typeof stack !== "string") return options;
  if (stack !== createStack)
    throw new AutomationError(
      `--stack says ${stack}, but --create-stack says ${createStack}`,
      "pass only one of the two options, or the same name",
    );
  return { ...options, stack, createStack: true };
}

/** Whether a stack may be created without a prompt: an option allows it, or its settings file exists. */
export function mayCreate(
  { createStack }: CreateOption,
  project: PulumiProjectFolder,
  stack: string,
): boolean {
  return createStack === true || stackFile(project, stack) !== undefined;
}

export async function stackExists({ name, cli }: Pick<StackTarget, "name" | "cli">): Promise<boolean> {
  try {
    await runPulumi(cli, ["stack", "--stack", name, "--show-name"]);
    return true;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return false;
  }
}

/** Whether Pulumi failed because the stack does not exist. */
export function isMissing(error: unknown): boolean {
  return /no stack named/.test((error as Error).message);
}

/** Lists the project's stacks; empty where the backend does not support it. */
export async function stackNames(cli: PulumiCli): Promise<string[]> {
  const text = await runPulumi(cli, ["stack", "ls", "--json"]).catch(() => "[]");
  return (JSON.parse(text) as { readonly name: string }[]).map(({ name }) => name);
}

/**
 * Creates a stack, and selects it, as Pulumi does, so that the next command needs no --stack.
 * @param runsNext an update follows, which makes the key
 */
export async function createStack(target: StackTarget, io: Port, runsNext = false): Promise<void> {
  const { name, isFree, project, backend, cli } = target;
  if (!(await wroteState(target, runsNext))) await runPulumi(cli, ["stack", "init", name, "--no-select"]);
  cli.folder?.saveStack(name);
  if (isFree)
    await selectStack(project, backend, io.env, name).catch((error: unknown) => noteUnselected(error, io));
  note(io, `Stack ${name} of project ${project.name} is new.`);
}

/** A container's home may be read-only, and the next run of it names the stack anyway. */
function noteUnselected(error: unknown, io: Port): void {
  if (!(error instanceof AutomationError)) throw error;
  note(io, error.message);
}

/** Writes the state of a stack, because the CLI takes a third of a second. The plan has made its key, or the update does. */
async function wroteState({ name, project, cli }: StackTarget, runsNext: boolean): Promise<boolean> {
  const { env, folder, location } = cli;
  const salt = folder?.saltOf(name);
  const hasKey = salt !== undefined || (runsNext && hasNoSettings(project, name));
  if (location === undefined || !hasKey || !hasPassphrase(env)) return false;
  if (FORMS.some((form) => env[`PULUMI_DIY_BACKEND_${form}`] || env[`PULUMI_SELF_MANAGED_STATE_${form}`]))
    return false;
  const store = await findStateStore(location, env);
  return typeof store !== "string" && store.create(salt);
}

/** Variables by which Pulumi gives new states another form. */
const FORMS = ["GZIP", "LEGACY_LAYOUT"];

/** `stack dev (named with --stack) does not exist yet; project shop has eu, us in file:///state` */
export function formatMissingStack(
  { name, why, project, backend, elsewhere = [] }: Omit<StackTarget, "cli">,
  others: readonly string[],
): string {
  const existing = others.length === 0 ? "no stacks" : others.join(", ");
  const used = elsewhere.map(
    (used) =>
      `. You have used stack ${used.stack}${used.project === project.name ? "" : ` of project ${used.project}`} with the state in ${used.place}`,
  );
  return `stack ${name} (${why}) does not exist yet; project ${project.name} has ${existing} in ${String(backend.url)}${used.join("")}`;
}

/** What there is of a state that is missing. */
export interface LostState {
  readonly copies: number;
  /** When the latest of them was written, and how many objects it has. */
  readonly at: string;
  readonly objects: number;
}

/** Finds copies of a state that is missing, which a stack that was never there and one that was removed do not have. */
export async function findLostState({
  name,
  project,
  backend,
  cli,
}: StackTarget): Promise<LostState | undefined> {
  const location = { backendUrl: backend.url, project: project.name, stack: getShortName(name) };
  const store = await findStateStore(location, cli.env);
  if (typeof store === "string") return undefined;
  // Whoever may not list them may still create a stack.
  const copies = await store.copies().catch(() => []);
  const [latest] = copies;
  // Pulumi keeps the last state of a removed stack, which has no objects.
  if (latest === undefined || latest.objects === 0) return undefined;
  return { copies: copies.length, at: latest.at, objects: latest.objects };
}

/** @param options what names the stack */
export async function createMissingStackError(
  target: StackTarget,
  others: readonly string[],
  options: StackWords,
): Promise<AutomationError> {
  const lost = options.program === undefined ? await findLostState(target) : undefined;
  if (lost !== undefined) return createLostStateError(target, lost, options);
  return new AutomationError(
    formatMissingStack(target, others),
    `${formatWayBack(target)}choose another with --stack, or create it with "${formatNextCommand(["up", "--create-stack"], options)}"`,
  );
}

export function createLostStateError(
  { name, why, backend }: Pick<StackTarget, "name" | "why" | "backend">,
  { copies, at, objects }: LostState,
  options: StackWords,
): AutomationError {
  const has = formatCount(objects, "object");
  const when = at.replace(/\.\d+Z$/, "Z");
  const what =
    copies === 1
      ? `a copy of it, of ${when}, has ${has}`
      : `the latest of ${copies} copies of it, of ${when}, has ${has}`;
  const words = { ...options, stack: name };
  return new AutomationError(
    `the state of stack ${name} (${why}) is missing in ${String(backend.url)}, but ${what}; nothing was changed`,
    `"${formatNextCommand(["stack", "repair"], words)}" restores it. To begin with an empty one instead, "${formatNextCommand(["up", "--create-stack"], words)}"`,
  );
}

/** What finds a state again that only an earlier shell knew. */
export function formatWayBack({
  elsewhere: [used] = [],
  project: { own, name },
  backend,
}: Pick<StackTarget, "elsewhere" | "project" | "backend">): string {
  if (used === undefined) return "";
  const { place, project } = used;
  const lines = [
    ...(own || project !== name ? [`name: ${project}`] : []),
    ...(own ? ["runtime: nodejs"] : []),
    ...(place === String(backend.url) ? [] : [`backend: { url: ${JSON.stringify(place)} }`]),
  ];
  const shell = place === String(backend.url) ? "" : `set PULUMI_BACKEND_URL to ${place}, and `;
  const what = own ? "create Pulumi.yaml with the lines" : "write into Pulumi.yaml";
  return `${shell}${what} ${formatQuoted(lines)}; or `;
}

const formatQuoted = (lines: readonly string[]) => lines.map((line) => `\`${line}\``).join(", ");

/** @throws {AutomationError} when the user declines, or cannot be asked */
export async function askToCreate(target: StackTarget, others: readonly string[], io: Port): Promise<void> {
  const message = `Create it? ${formatMissingStack(target, others)}`;
  const agreed = await io.ask({ message, destructive: false, stack: target.name });
  if (agreed === undefined)
    throw new AutomationError(
      formatMissingStack(target, others),
      `${formatWayBack(target)}choose another with --stack, or add --create-stack to create it`,
    );
  if (!agreed)
    throw new AutomationError(
      "the stack does not exist, the answer was no, and nothing was changed",
      "run the command again and answer yes, or add --create-stack",
      { code: "declined" },
    );
}

/** Creates an empty stack of the same name and settings, whose state is discarded when the process ends. */
export function tryStack({ name, project, cli }: StackTarget): PulumiCli {
  // The real stack may not need a passphrase. The temporary one does, so it gets a random one.
  const own = hasPassphrase(cli.env) ? {} : { PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex") };
  return createEmptyStack(name, project.name, { ...cli, env: { ...cli.env, ...own } });
}

/**
 * Reads the configuration of a stack that does not exist yet. Pulumi only reads that of existing stacks, but the first run must not use another
 * account than the second.
 * @throws {AutomationError} when the file contains what only an existing stack can resolve
 */
export async function readConfigOfNewStack(
  stack: string,
  project: PulumiProjectFolder,
  cli: PulumiCli,
): Promise<Record<string, string>> {
  const { config, environment, encryptionsalt, secretsprovider } = stackSettings(project, stack);
  if (environment !== undefined)
    throw new AutomationError(
      `stack ${stack} does not exist yet, and the environments of Pulumi ESC in ${stackFile(project, stack) ?? ""} can only be read for an existing stack`,
      `create it first ("workspacectl stack init ${stack}")`,
    );
  const values = { ...readGeneralConfig(project), ...qualifyConfig(config, project) };
  if (!Object.values(values).some(isEncrypted))
    return Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) =>
        // `allowInsecure: true` is a boolean to YAML, and a text to Pulumi.
        ["string", "boolean", "number"].includes(typeof value) ? [[key, String(value)]] : [],
      ),
    );
  if (encryptionsalt === undefined && secretsprovider === undefined)
    throw new AutomationError(
      `stack ${stack} does not exist, and the secrets in ${stackFile(project, stack) ?? ""} were encrypted for an earlier one`,
      'set them again with "workspacectl config set --secret", or remove them',
    );
  const trial = createEmptyStack(stack, project.name, cli);
  return readConfig(trial, getShortName(stack));
}

/** Makes an empty stack of the same name and settings, whose state is discarded with the private folder. The CLI takes half a second for one. */
function createEmptyStack(stack: string, project: string, cli: PulumiCli): PulumiCli {
  const state = join(cli.cwd, "state");
  const name = getShortName(stack);
  const file = locateStateFile(join(state, ".pulumi"), { project, stack: name });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(state, ".pulumi", "meta.yaml"), "version: 1\n");
  writeFileSync(file, createEmptyState({ project, stack: name }));
  return { ...cli, env: { ...cli.env, PULUMI_BACKEND_URL: pathToFileURL(state).href } };
}

function isEncrypted(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isEncrypted);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => (key === "secure" && typeof inner === "string") || isEncrypted(inner),
  );
}
