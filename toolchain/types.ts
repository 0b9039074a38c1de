/** What a search for the toolchain takes, reports and returns. */

/** Sources of the Pulumi CLI, in the order in which they are tried. */
export type ToolchainSource = "PULUMI_BIN" | "PATH" | "cache" | "installer" | "build";

/** Result of trying one source. */
export interface ToolchainAttempt {
  way: ToolchainSource;
  /** What was found, or why the source was not used, in one line. */
  outcome: string;
}

/** Working Pulumi CLI, with the programs that it needs to run Node.js programs and dynamic providers. */
export interface PulumiToolchain {
  /** Path of the pulumi binary, in `binDir`. */
  command: string;
  /** Version, without the leading v. */
  version: string;
  /** Path of the Node.js language host. Undefined only when it is optional. */
  languageHost?: string;
  /**
   * Folder for the first position on PATH. It contains pulumi, pulumi-language-nodejs and pulumi-resource-pulumi-nodejs and
   * hides no other program.
   */
  binDir: string;
  /** Parent folder of `binDir`. */
  root: string;
  /** Where it was found. */
  source: ToolchainSource;
  /** All sources that were tried. The last one is `source`. */
  tried: ToolchainAttempt[];
}

/** Progress of `ensurePulumi`. */
export type ToolchainEvent =
  /** A source cannot be used. `absent` means that it does not exist, which is normal. */
  | { kind: "passed-over"; way: ToolchainSource; text: string; absent: boolean }
  /** A long operation begins. */
  | { kind: "step"; way: ToolchainSource; text: string }
  /** Progress of that operation. `total` is an upper bound, if known. */
  | { kind: "count"; way: ToolchainSource; text: string; done: number; total?: number }
  /** Another process makes the same entry. */
  | { kind: "waiting"; text: string }
  | { kind: "ready"; way: ToolchainSource; text: string };

export type OnProgress = (event: ToolchainEvent) => void;

/** Context of an installation or a build. */
export interface WorkContext {
  /** The environment of the caller, with a PATH that leads into no checkout. */
  env: NodeJS.ProcessEnv;
  /** Folders whose contents anybody may have written, and which contain no program to run. */
  checkouts: readonly string[];
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
}

/** What determines the environment of a program. */
export type ChildContext = Pick<WorkContext, "env" | "checkouts">;

/** Puts programs into `root`/bin, and returns what they were checked against. */
export type FillFolder = (root: string, context: WorkContext) => Promise<string>;

/** Functions that run other programs. Tests replace them. */
export interface Machinery {
  /** Runs `pulumi version` and returns the version without the v. Throws when the file is not a working Pulumi CLI. */
  pulumiVersion(command: string, context: ChildContext): Promise<string>;
  /** Starts a Node.js language host. Throws when it does not listen. */
  checkLanguageHost(command: string, context: ChildContext): Promise<void>;
  /** Installs the official release. */
  install: FillFolder;
  /** Builds the same programs. Only a clone can do that. */
  build?: FillFolder;
}

/** Options of `ensurePulumi`. */
export interface EnsureOptions {
  env?: NodeJS.ProcessEnv;
  /** Folders whose contents anybody may have written. Default: the checkout of the working directory. */
  checkouts?: readonly string[];
  onProgress?: OnProgress;
  /** Aborts the work, including a download or build in progress. */
  signal?: AbortSignal;
  /**
   * Programs need a language host, workspace files do not. `optional` accepts a CLI without one. Default: `required`.
   */
  languageHost?: "required" | "optional";
  /** Folder of the program that will run. */
  program?: string;
  /** Functions that run other programs, for tests. */
  machinery?: Partial<Machinery>;
}
