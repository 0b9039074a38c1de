/** A way to come by the Pulumi CLI, in the order in which they are tried. */
export type ToolchainSource = "PULUMI_BIN" | "PATH" | "cache" | "installer" | "build";

/** What became of one way. */
export interface ToolchainAttempt {
  way: ToolchainSource;
  /** One line: what was found, or why it was passed over. */
  outcome: string;
}

/** A Pulumi CLI that works, with what it needs to run Node.js programs and dynamic providers. */
export interface PulumiToolchain {
  /** The pulumi binary, inside `binDir`. */
  command: string;
  /** Its version, without the leading v. */
  version: string;
  /** The Node.js language host; undefined only where it was asked for as optional and there is none. */
  languageHost?: string;
  /**
   * Put this first on PATH. It holds pulumi, pulumi-language-nodejs and pulumi-resource-pulumi-nodejs and nothing
   * that is not Pulumi's, so it hides no other program.
   */
  binDir: string;
  /** The folder above `binDir`. */
  root: string;
  /** Which way found it. */
  source: ToolchainSource;
  /** All ways that were tried, the last one being the one that worked. */
  tried: ToolchainAttempt[];
}

/** What `ensurePulumi` tells while it works. */
export type ToolchainEvent =
  /** A way that was looked at and does not do; `absent` means there was simply nothing there. */
  | { kind: "passed-over"; way: ToolchainSource; text: string; absent: boolean }
  /** A piece of work that takes a while has begun. */
  | { kind: "step"; way: ToolchainSource; text: string }
  /** How far that work is; `total`, where known, is an upper bound. */
  | { kind: "count"; way: ToolchainSource; text: string; done: number; total?: number }
  /** Another process makes the same thing at the moment. */
  | { kind: "waiting"; text: string }
  | { kind: "ready"; way: ToolchainSource; text: string };

export type OnProgress = (event: ToolchainEvent) => void;

/** What the work of one way is given. */
export interface WorkContext {
  env: NodeJS.ProcessEnv;
  onProgress: OnProgress;
  signal?: AbortSignal | undefined;
}

/** The parts that run other programs; tests put in their own. */
export interface Machinery {
  /** Runs `pulumi version`; the version without the v. Throws when the file is not a working Pulumi CLI. */
  pulumiVersion(command: string): Promise<string>;
  /** Starts a Node.js language host and sees it listen. Throws when it does not. */
  checkLanguageHost(command: string): Promise<void>;
  /** Puts the official release into `root`/bin. */
  install(root: string, context: WorkContext): Promise<void>;
  /** Builds the CLI into `root`/bin. */
  buildCli(root: string, context: WorkContext): Promise<void>;
  /** Builds the Node.js language host into `root`/bin. */
  buildLanguageHost(root: string, context: WorkContext): Promise<void>;
}
