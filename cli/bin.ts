#!/usr/bin/env node
/** Entry of the `workspacectl` program. */
import "./patient-optimizer.js";
import { constants } from "node:os";
import { completeAccount } from "../toolchain/account.js";
import { ignoreClosedPipes, waitUntilFlushed, processIo } from "./terminal/io.js";

ignoreClosedPipes();
completeAccount(process.env);
// Some of what it imports asks for the home folder at once.
const { runMain } = await import("./program.js");
if (process.pid === 1) endOnSignals();

// Exits explicitly after all output is written, because Pulumi's client library may leave handles open.
const code = await runMain(process.argv.slice(2), processIo());
await waitUntilFlushed();
process.exit(code);

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
