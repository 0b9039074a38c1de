/** A stack that is not there: told, tried on an empty state that nobody keeps, or made. Never made without a word. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { note, type Io } from "../../terminal/io.js";
import { confirmed } from "./confirm.js";
import { hasPassphrase } from "./passphrase.js";
import { projectFile, stackFile, stackSettings, type Backend, type Project } from "./project.js";
import { runPulumi, type PulumiCli } from "./pulumi.js";

/** A stack as it is looked for. */
export interface Sought {
  readonly name: string;
  readonly project: Project;
  readonly backend: Backend;
  readonly cli: PulumiCli;
}

/** What becomes of a stack that is not there. */
export type WhenMissing =
  /** It is an error. */
  | "refuse"
  /** The operation works on an empty state that is gone afterwards. */
  | "try"
  /** It is made, when somebody at the terminal says so. */
  | "ask"
  | "create";

export interface CreateOption {
  /** Make the stack if it is not there. */
  readonly createStack?: boolean;
}

/** Whether a stack is wanted without anybody being asked: it was said so, or its settings lie there. */
export function isWanted({ createStack }: CreateOption, project: Project, stack: string): boolean {
  return createStack === true || Object.keys(stackSettings(project, stack)).length > 0;
}

export async function isThere({ name, cli }: Pick<Sought, "name" | "cli">): Promise<boolean> {
  try {
    await runPulumi(cli, ["stack", "--stack", name, "--show-name"]);
    return true;
  } catch (error) {
    if (!/no stack named/.test((error as Error).message)) throw error;
    return false;
  }
}

/** Names of the project's stacks; none where the backend does not tell. */
export async function stackNames(cli: PulumiCli): Promise<string[]> {
  const text = await runPulumi(cli, ["stack", "ls", "--json"]).catch(() => "[]");
  return (JSON.parse(text) as { readonly name: string }[]).map(({ name }) => name);
}

export async function createStack({ name, project, cli }: Sought, io: Io): Promise<void> {
  await runPulumi(cli, ["stack", "init", name]);
  note(io, `Stack ${name} of project ${project.name} is new.`);
}

/** `there is no stack typo of project shop in file:///state (there are eu, us)` */
export function missingText({ name, project, backend }: Sought, others: readonly string[]): string {
  const there = others.length === 0 ? "there is none" : `there are ${others.join(", ")}`;
  return `there is no stack ${name} of project ${project.name} in ${backend.url} (${there})`;
}

export function refusal(sought: Sought, others: readonly string[]): CliError {
  return new CliError(
    `${missingText(sought, others)}: name another with --stack, or make it with "workspacectl up --create-stack"`,
  );
}

/** @throws {CliError} when nobody wants it */
export async function askToCreate(sought: Sought, others: readonly string[], io: Io): Promise<void> {
  if (!io.interactive || io.quiet)
    throw new CliError(
      `${missingText(sought, others)}: name another with --stack, or add --create-stack to make it`,
    );
  const wanted = await confirmed(`Make it? ${missingText(sought, others)}`, io);
  if (!wanted) throw new CliError("no stack was made, and nothing was changed", exitCodes.declined);
}

/** A folder in which Pulumi can be asked of a project of ours that is not there yet. */
export function temporaryProject({ name }: Pick<Project, "name">): string {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  return folder;
}

/** An empty stack of the same name and settings, in a folder that is gone when the process ends. */
export async function tryStack({ name, project, cli }: Sought): Promise<PulumiCli> {
  const folder = temporaryProject(project);
  for (const file of [projectFile(project), stackFile(project, name)])
    if (file !== undefined) cpSync(file, join(folder, relative(project.root, file)));
  const state = join(folder, "state");
  mkdirSync(state);
  // A backend that keeps the key itself, or a passphrase that nobody was asked for: this one is for the moment.
  const own = hasPassphrase(cli.env) ? {} : { PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex") };
  const env = { ...cli.env, ...own, PULUMI_BACKEND_URL: pathToFileURL(state).href };
  const here = { ...cli, cwd: folder, env };
  await runPulumi(here, ["stack", "init", name.split("/").at(-1) ?? name, "--no-select"]);
  return here;
}
