/** How a command that opens no stack reads a workspace file. */
import { stackNamedIn, type LoadOptions } from "../../workspace-file/load/index.js";
import type { Io } from "../terminal/io.js";
import type { DocumentOptions } from "./document.js";

export function readOptions(options: DocumentOptions, io: Io): LoadOptions {
  const { overlay, allowPath, offline } = options;
  const stack = stackToRead(options, io);
  return {
    env: io.env,
    ...(stack === undefined ? {} : { stack }),
    ...(overlay === undefined ? {} : { overlays: overlay }),
    ...(allowPath === undefined ? {} : { allowPaths: allowPath }),
    // Only Pulumi knows the stack's configuration.
    mock: offline ? true : "config",
  };
}

/** Returns the stack whose overlay is applied, in the order in which `up` chooses it, as far as that is known without Pulumi. */
export function stackToRead({ file, stack, allowPath }: DocumentOptions, { env }: Io): string | undefined {
  if (stack !== undefined) return stack;
  if (env["PULUMI_STACK"]) return env["PULUMI_STACK"];
  // Standard input has no overlays.
  if (file === "-") return undefined;
  try {
    return stackNamedIn(file, { allowPaths: allowPath });
  } catch {
    // Reading the whole file reports all its problems.
    return undefined;
  }
}
