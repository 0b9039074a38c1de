#!/usr/bin/env node
/** Entry of the `workspacectl` program. */
import { constants } from "node:os";
import { type Io, print } from "../reports/io.js";
import { completeAccount } from "../toolchain/account.js";
import { ignoreClosedPipes, processIo, waitUntilFlushed } from "./terminal/io.js";

ignoreClosedPipes();
completeAccount(process.env);
const argv = process.argv.slice(2);
if (process.pid === 1) endOnSignals();

// Exits explicitly after all output is written, because Pulumi's client library may leave handles open.
const code = await run(processIo());
await waitUntilFlushed();
process.exit(code);

async function run(io: Io): Promise<number> {
  // Scripts ask for the version, for which no command needs to be loaded.
  if (argv.length === 1 && ["-v", "--version"].includes(argv[0] as string)) {
    const { readVersion } = await import("../toolchain/locations.js");
    print(io, readVersion());
    return 0;
  }
  // Some of what it imports asks for the home folder at once.
  const { runMain } = await import("./program.js");
  return runMain(argv, io);
}

/**
 * Ends the first process of a container on a signal, as the system does with any other process, unless a command handles the signal
 * itself.
 */
function endOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
    });
}
