/** What names a stack, and the command line of the next command on it. Every command loads it, so it loads nothing heavy. */
import { formatCommandLine } from "../text/safe-text.js";

export const DEFAULT_FILE = "workspace.yaml";

/** What names a workspace file and what it is composed of. */
export interface DocumentOptions {
  readonly file: string;
  readonly stack?: string | undefined;
  readonly overlay?: readonly string[] | undefined;
  readonly allowPath?: readonly string[] | undefined;
}

/** What names a stack on the command line. */
export interface StackWords {
  readonly file: string;
  /** Overlays that are applied after the stack's own overlay. */
  readonly overlay?: readonly string[];
  /** Further folders that placeholders and includes may read from. */
  readonly allowPath?: readonly string[];
  readonly stack?: string;
  readonly connection?: string;
  /** Folder of a Pulumi program, instead of a file. */
  readonly program?: string;
  readonly only?: readonly string[] | undefined;
}

/** Returns the options that the next command on the same stack needs as well. */
export function repeatOptions(options: StackWords): string[] {
  const { file, overlay = [], allowPath = [], stack, connection, program, only = [] } = options;
  return [
    ...(file === DEFAULT_FILE ? [] : ["-f", file]),
    ...overlay.flatMap((one) => ["--overlay", one]),
    ...allowPath.flatMap((one) => ["--allow-path", one]),
    ...(program === undefined ? [] : ["--program", program]),
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(connection === undefined ? [] : ["--connection", connection]),
    ...only.flatMap((one) => ["--only", one]),
  ];
}

/** The commands that can be limited with `--only`. */
const LIMITED = ["preview", "up"];

/** The command line of the next command on the same stack. */
export function formatNextCommand(command: readonly string[], options: StackWords): string {
  const { only, ...others } = options;
  const [name = ""] = command;
  const words = repeatOptions(LIMITED.includes(name) ? { ...others, only } : others);
  return formatCommandLine(["workspacectl", ...command, ...words]);
}
