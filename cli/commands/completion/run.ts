/** Runs `workspacectl completion`. */
import { getCredentialsFile, readCredentials } from "../../../provider/connection/credentials.js";
import { listCompletions } from "./offers.js";
import { scripts, type Shell } from "./scripts.js";
import { exitCodes } from "../../errors.js";
import { parts } from "../graph/parts.js";
import { print, printText, type Io } from "../../terminal/io.js";
import type { CommandLine } from "../command.js";
import { getCommandFile } from "../../toolchain/locations.js";

/** Prints the completion script of a shell. */
export function runCompletion(
  { shell }: { readonly shell: Shell },
  io: Io,
  { tree }: CommandLine,
): Promise<number> {
  const text = scripts[shell](tree.name(), [process.execPath, getCommandFile()]);
  printText(io, text);
  return Promise.resolve(exitCodes.ok);
}

export interface CompleteOptions {
  /** The words up to the cursor, without the command's name; the last one may be empty. */
  readonly words?: readonly string[];
}

/** Prints completions: one per line, with its description after a tab. */
export async function complete(
  { words = [] }: CompleteOptions,
  io: Io,
  { tree }: CommandLine,
): Promise<number> {
  // bash treats the = in --connection=us as a separate word.
  const typed = words.filter((word) => word !== "=");
  const codes = typed.includes("lint") ? await lintCodes() : [];
  const known = {
    connection: () => listConnectionNames(io),
    from: () => listConnectionNames(io),
    to: () => listConnectionNames(io),
    parts: () => parts,
    error: () => codes,
    warning: () => codes,
    off: () => codes,
  };
  for (const { value, description } of listCompletions(tree, typed, known)) {
    print(io, description === "" ? value : `${value}\t${description.split("\n", 1)[0]}`);
  }
  return exitCodes.ok;
}

/** Loads the codes only when needed, because the shell is waiting. */
async function lintCodes(): Promise<string[]> {
  const { lintRules } = await import("../../../workspace-file/lint/index.js");
  return lintRules.map(({ code }) => code);
}

function listConnectionNames(io: Io): string[] {
  try {
    return Object.keys(readCredentials(getCredentialsFile(io.env)).connections);
  } catch {
    return []; // the command itself will say what is wrong with the file
  }
}
