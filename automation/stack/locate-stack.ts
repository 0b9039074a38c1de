/** The first step of opening a stack: finds its file or program, its project and backend, and its name. */
import type { ProviderEngine, SharedReadCache } from "../../provider/index.js";
import type { LoadOptions, ReadOnce } from "../../workspace-file/load/load.js";
import { type FileFacts, readFile, readHead, toLoadOptions } from "../connection/file-facts.js";
import type { StackWords } from "../next-command.js";
import type { Port } from "../port.js";
import { type Backend, findBackend } from "./backend.js";
import { type CreateOption, stackNames, type WhenMissing } from "./missing-stack.js";
import { findProject, findSecretConfig, type PulumiProjectFolder } from "./project.js";
import { openDataCli } from "./pulumi-project.js";
import { chooseStack, type StackChoice } from "./stack-choice.js";
import { findProgramIn, type Program } from "./user-program.js";

/** Options of all commands that work on a stack. */
export interface StackOptions extends CreateOption, Omit<StackWords, "only"> {
  /** Texts that replace the content of files, by absolute path. */
  readonly texts?: ReadonlyMap<string, string>;
  /** Do not run the program: the objects are those in the state, whatever the language of the program. */
  readonly fromState?: boolean;
  /** Engine of the file's resources. Default: the one of the file, or else of the state. */
  readonly engine?: ProviderEngine;
}

export interface Purpose {
  /** The operation runs the program, so the whole file is read and has to be valid. */
  readonly program: boolean;
  /** What to do when the stack does not exist; by default an error. */
  readonly missing?: WhenMissing | ((stack: string, project: PulumiProjectFolder) => WhenMissing);
  /** The command changes objects. */
  readonly changes?: boolean;
  /** The command stores values encrypted with the passphrase even when the stack does not exist yet. */
  readonly needsPassphrase?: boolean;
  /** The operation reads all objects of the file, so their lists are read in advance and show whether the connection works. */
  readonly readsAll?: boolean;
}

/** What a command opens a stack with. */
export interface Opening {
  readonly options: StackOptions;
  readonly purpose: Purpose;
  readonly io: Port;
  /** File in which requests are counted. */
  readonly requestCounter: string;
  readonly reads: SharedReadCache;
}

/** What is known before Pulumi runs. */
export interface LocatedStack {
  /** The program of the user, instead of a file. */
  readonly program: Program | undefined;
  /** The objects are those in the state of a program that is not run. */
  readonly fromState: boolean;
  readonly project: PulumiProjectFolder;
  readonly backend: Backend;
  readonly choice: StackChoice;
  readonly file: FileFacts;
  /** How the file is read. */
  readonly reading: LoadOptions;
}

/** Runs Pulumi only to list the stacks, where the choice depends on them and nothing else can list them. */
export async function locateStack({ options, purpose, io }: Opening, once: ReadOnce): Promise<LocatedStack> {
  const { fromState = false } = options;
  const found = options.program === undefined ? undefined : findProgramIn(options.program, !fromState);
  const program = fromState ? undefined : found;
  const project = found?.project ?? findProject(options.file);
  const backend = findBackend(project, io.env);
  const list = async () => stackNames(await openDataCli(project, backend, io));
  const choice = await chooseStack(options, { project, backend, list }, io);
  const { name } = choice;
  // Validation, the engine's program and the locations of findings all use the same text of each file.
  const reading = {
    ...toLoadOptions(options, name, io),
    once,
    secretConfig: findSecretConfig(project, name),
  };
  const file = found?.facts ?? (purpose.program ? readFile : readHead)(options.file, reading);
  return { program, fromState, project, backend, choice, file, reading };
}
