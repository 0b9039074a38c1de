#!/usr/bin/env node
import { main } from "./program.js";
import { flushed, processIo } from "./terminal/io.js";

// A reader that has seen enough (`| head -1`) is no fault, and must not end an operation in its middle.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

// Pulumi's client library may leave handles open: the exit code is set, and what is still to be written is waited for.
const code = await main(process.argv.slice(2), processIo());
await flushed();
process.exit(code);
