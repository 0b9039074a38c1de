#!/usr/bin/env node
/** Entry of the `workspacectl` program. */
import { mayHaveChanged } from "../client/changes.js";
import { isHandled, SIGNALS } from "../recovery/signals.js";
import { type Io, print, printMessage } from "../reports/io.js";
import { completeAccount } from "../toolchain/account.js";
import { ignoreClosedPipes, processIo, waitUntilFlushed } from "./terminal/io.js";
import { tuneV8 } from "./tune-v8.js";

/** Exit code of an interrupted command. */
const INTERRUPTED = 130;

const UNCHANGED = "interrupted; nothing was changed in the workspace. Run the command again";
const AFTER_CHANGES = "interrupted; what was changed in the workspace before stays. Run the command again";

ignoreClosedPipes();
completeAccount(process.env);
const argv = process.argv.slice(2);
const io = processIo();
endOnSignals(io);

// Exits explicitly after all output is written, because Pulumi's client library may leave handles open.
const code = await run(io);
await waitUntilFlushed();
process.exit(code);

async function run(io: Io): Promise<number> {
  // Scripts ask for the version, for which no command needs to be loaded.
  if (argv.length === 1 && ["-v", "--version"].includes(argv[0] as string)) {
    const { readVersion } = await import("../toolchain/locations.js");
    print(io, readVersion());
    return 0;
  }
  const { runMain } = await import("./program.js");
  // Loading is faster with what V8 does by itself.
  tuneV8();
  return runMain(argv, io);
}

/**
 * Ends on a signal with the documented exit code, unless a command handles the signal itself. Without it, the first process of a
 * container would not end at all.
 */
function endOnSignals(io: Io): void {
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (isHandled(signal)) return;
      // A terminal shows "^C", and maybe a line that is updated in place.
      const before = process.stderr.isTTY ? "\n" : "";
      printMessage(io, `${before}${mayHaveChanged() ? AFTER_CHANGES : UNCHANGED}`);
      process.exit(INTERRUPTED);
    });
}
