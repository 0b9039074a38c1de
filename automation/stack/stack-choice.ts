/** Chooses the stack of a command, and says why (docs/cli.md lists the order), and keeps the selected one. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { StateAddress } from "../../trust/state-address.js";
import { getShortName } from "../../workspace-file/load/files.js";
import { stackNamedIn } from "../../workspace-file/load/load.js";
import { parseJsonIfValid } from "../config-files/checked-files.js";
import { AutomationError } from "../errors.js";
import type { StackWords } from "../next-command.js";
import type { Port } from "../port.js";
import { type Backend, getPulumiHome, mayHaveStacks } from "./backend.js";
import { locateOwnProject, locateProjectFile, type PulumiProjectFolder } from "./project.js";
import { listStacksAt } from "./state-store.js";

/** The stack of a project that has none, and of one that has several of which none is selected. */
const DEFAULT_STACK = "dev";

export interface StackChoice {
  readonly name: string;
  /** `named with --stack` */
  readonly why: string;
  /** Neither the environment nor the file names a stack. Only then a new one is selected. */
  readonly isFree: boolean;
  /** The stacks of the project, if the choice depended on them and they could be read without the CLI. */
  readonly existing?: readonly string[] | undefined;
  /** Other places of a state with which this user has used stacks of this folder. */
  readonly elsewhere?: readonly UsedStack[];
}

interface UsedStack {
  readonly stack: string;
  /** The project that had it: another one before there was a Pulumi.yaml. */
  readonly project: string;
  readonly place: string;
}

/** What chooses the stack. The project of a program has no workspace file in its folder. */
type StackRequest = Pick<StackWords, "file" | "stack" | "allowPath" | "program">;

interface ExistingStacks {
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  /** Lists the stacks with the CLI, which takes a third of a second. */
  readonly list: () => Promise<readonly string[]>;
}

/** @throws {AutomationError} when the option or the environment names a stack that Pulumi cannot have */
export async function chooseStack(
  options: StackRequest,
  stacks: ExistingStacks,
  io: Port,
): Promise<StackChoice> {
  const found = await findChoice(options, stacks, io);
  const choice = { ...found, elsewhere: listUsedElsewhere(stacks.project, stacks.backend, io.env) };
  const parts = choice.name.split("/");
  if (parts.length <= 3 && parts.every((part) => /^(?!\.{1,2}$)[\w.-]{1,100}$/.test(part))) return choice;
  const { length } = getShortName(choice.name);
  const shown = choice.name.length > LONGEST ? `${choice.name.slice(0, LONGEST)}…` : choice.name;
  throw new AutomationError(
    `the stack cannot be called ${JSON.stringify(shown)}${length > LONGEST ? `, which has ${length} characters` : ""} (${choice.why})`,
    `choose a name of at most ${LONGEST} letters, digits, _, - and .`,
  );
}

/** Pulumi's limit. */
const LONGEST = 100;

async function findChoice(
  options: StackRequest,
  stacks: ExistingStacks,
  { env }: Port,
): Promise<StackChoice> {
  const { project, backend } = stacks;
  const ofEnvironment = env["PULUMI_STACK"];
  if (options.stack !== undefined)
    return { name: options.stack, why: "named with --stack", isFree: !ofEnvironment };
  if (ofEnvironment) return { name: ofEnvironment, why: "named by PULUMI_STACK", isFree: false };
  const ofFile = stackOfFile(options);
  if (ofFile !== undefined) return { name: ofFile, why: `named in ${options.file}`, isFree: false };
  const selected = findSelectedStack(project, backend, env);
  if (selected !== undefined) return { name: selected, why: "the selected one", isFree: true };
  const mayBeThere = mayHaveStacks(project, backend);
  const existing = mayBeThere
    ? await listStacksAt({ backendUrl: backend.url, project: project.name }, env)
    : undefined;
  const [only, ...others] = existing ?? (mayBeThere ? await stacks.list() : []);
  if (only !== undefined && others.length === 0)
    return { name: only, why: "the only one", isFree: true, existing };
  const why = "the default, because none is specified or selected";
  return { name: DEFAULT_STACK, why, isFree: true, existing };
}

/** Returns the stack that the workspace file names. */
export function stackOfFile({ file, allowPath, program }: StackRequest): string | undefined {
  return program === undefined ? stackNamedIn(file, { allowPaths: allowPath }) : undefined;
}

type Project = Pick<PulumiProjectFolder, "root" | "name">;

/** `stack` is the form of older releases. The others are by address of the backend. */
const selectionFile = z.looseObject({
  stack: z.string().optional(),
  stacks: z.record(z.string(), z.string()).optional(),
});
type Selection = z.infer<typeof selectionFile>;

/** Returns the stack that `stack select` names. */
function findSelectedStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const { stack, stacks = {} } = readSelection(project, env);
  const { url } = backend;
  // Earlier releases kept the whole address.
  const selected = stacks[String(url)] ?? stacks[url.whole] ?? stack;
  if (!selected) return undefined;
  // Pulumi writes its own form of a name for backends that have no organizations.
  const own = `organization/${project.name}/`;
  return selected.startsWith(own) ? selected.slice(own.length) : selected;
}

/** Also those of the time before there was a Pulumi.yaml, which gives the project another name. */
function listUsedElsewhere(
  project: PulumiProjectFolder,
  { url }: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
): UsedStack[] {
  const before = project.own ? [] : [locateOwnProject(project.root)];
  return [project, ...before].flatMap((one) =>
    Object.entries(readSelection(one, env).stacks ?? {})
      .map(([address, stack]) => ({ place: String(new StateAddress(address)), stack, project: one.name }))
      .filter(({ place, stack }) => stack !== "" && !(place === String(url) && one.name === project.name)),
  );
}

/**
 * Selects a stack, so that plain `pulumi` uses it too.
 * @throws {AutomationError} when the home of Pulumi cannot be written
 */
export async function selectStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
  stack: string,
): Promise<void> {
  const file = locateSelectionFile(project, env);
  const before = readSelection(project, env);
  const selection: Selection = { ...before, stacks: { ...before.stacks, [String(backend.url)]: stack } };
  const { default: writeFileAtomic } = await import("write-file-atomic");
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, `${JSON.stringify(selection, null, 4)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new AutomationError(
      `the selected stack cannot be stored: ${(error as Error).message}`,
      "name the stack with --stack or PULUMI_STACK, or set PULUMI_HOME to a folder that can be written",
    );
  }
}

/** Ends the selection of a stack that was removed. */
export async function deselectStack(
  project: Project,
  backend: Pick<Backend, "url">,
  env: NodeJS.ProcessEnv,
  stack: string,
): Promise<void> {
  if (findSelectedStack(project, backend, env) === stack) await selectStack(project, backend, env, "");
}

function readSelection(project: Project, env: NodeJS.ProcessEnv): Selection {
  const file = locateSelectionFile(project, env);
  if (!existsSync(file)) return {};
  return selectionFile.safeParse(parseJsonIfValid(readFileSync(file, "utf8"))).data ?? {};
}

/** Pulumi names the file by the project and a digest of the path of its file. */
function locateSelectionFile({ root, name }: Project, env: NodeJS.ProcessEnv): string {
  const digest = createHash("sha1").update(locateProjectFile(root)).digest("hex");
  return join(getPulumiHome(env), "workspaces", `${name}-${digest}-workspace.json`);
}
