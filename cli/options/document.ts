/** Options of the commands that read a workspace file without a stack: which overlays, and what placeholders become. */
import { Option, type Command } from "commander";
import type { ReadOptions } from "../../workspace-file/load/index.js";
import type { Io } from "../terminal/io.js";
import { several } from "./options.js";

export interface DocumentOptions {
  readonly file: string;
  readonly stack?: string;
  readonly overlay?: readonly string[];
  readonly allowPath?: readonly string[];
  readonly offline?: boolean;
}

/** Which document it is: the file, and what belongs to it. */
export function documentFile(command: Command): Command {
  return beside(
    command.option(
      "-f, --file <file>",
      "the workspace file, a folder of them, or - for standard input",
      "workspace.yaml",
    ),
  );
}

/** What belongs to a workspace file, however that is named. */
export function beside(command: Command): Command {
  return command
    .addOption(
      new Option("--overlay <file>", "lay this file over the workspace file; repeatable").argParser(
        several(),
      ),
    )
    .addOption(
      new Option("--allow-path <dir>", "let placeholders and includes read there too; repeatable").argParser(
        several(),
      ),
    );
}

export function documentOptions(command: Command): Command {
  return documentFile(command)
    .option("-s, --stack <name>", "the stack whose overlay (workspace.<stack>.yaml) is laid over the file")
    .option("--offline", "take made-up values for environment variables and configuration");
}

export function readOptions({ stack, overlay, allowPath, offline }: DocumentOptions, io: Io): ReadOptions {
  return {
    env: io.env,
    ...(stack === undefined ? {} : { stack }),
    ...(overlay === undefined ? {} : { overlays: overlay }),
    ...(allowPath === undefined ? {} : { allowPaths: allowPath }),
    // What the stack's configuration says is known to Pulumi only.
    mock: offline ? true : "config",
  };
}
