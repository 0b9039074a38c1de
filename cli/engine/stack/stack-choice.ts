/** Chooses the stack of a command, and says why. docs/cli.md lists the order. */
import { stackNamedIn } from "../../../workspace-file/load/index.js";
import type { Io } from "../../terminal/io.js";
import { mayHaveStacks, type Backend } from "./backend.js";
import type { PulumiProjectFolder } from "./project.js";
import { findSelectedStack } from "./selected-stack.js";
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
}

export interface StackRequest {
  readonly file: string;
  readonly stack?: string;
  readonly allowPath?: readonly string[];
  /** The project is that of a program, whose folder has no workspace file. */
  readonly program?: string;
}

interface ExistingStacks {
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  /** Lists the stacks with the CLI, which takes a third of a second. */
  readonly list: () => Promise<readonly string[]>;
}

export async function chooseStack(
  options: StackRequest,
  stacks: ExistingStacks,
  { env }: Io,
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
