#!/usr/bin/env node
/** Entry of the `workspacectl` program. */
import { endOnSignals } from "./first-process.js";
import { runMain } from "./program.js";
import { waitUntilFlushed, processIo } from "./terminal/io.js";

// A reader may close the pipe early (`| head -1`). This must not interrupt an operation.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

endOnSignals();

// Exits explicitly after all output is written, because Pulumi's client library may leave handles open.
const code = await runMain(process.argv.slice(2), processIo());
await waitUntilFlushed();
process.exit(code);
