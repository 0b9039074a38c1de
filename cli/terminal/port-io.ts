/** The Io of an operation that a program runs: nothing is printed, and nobody is at a terminal. */
import { Readable } from "node:stream";
import pc from "picocolors";
import { captureOutput, createSilentOutput, type Io } from "../../automation/io.js";
import type { AutomationPort } from "../../automation/port.js";

/** @returns the Io, and what the command would have printed as its result so far */
export function createPortIo({ env, on, ask, signal }: AutomationPort): { io: Io; printed: () => string } {
  const { stream, text } = captureOutput();
  const io: Io = {
    stdin: Readable.from([]),
    stdout: stream,
    stderr: createSilentOutput(),
    env: { ...env },
    interactive: false,
    colors: pc.createColors(false),
    on,
    ...(ask ? { ask } : {}),
    ...(signal ? { signal } : {}),
  };
  return { io, printed: text };
}
