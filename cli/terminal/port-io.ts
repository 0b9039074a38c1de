/** The Io of an operation that a program runs: nothing is printed, and nobody is at a terminal. */
import { Readable } from "node:stream";
import pc from "picocolors";
import type { AutomationPort } from "../../automation/automation-port.js";
import { note } from "../../automation/port.js";
import { reportFrames } from "../../automation/progress/frames.js";
import { captureOutput, createSilentOutput, type Io } from "../../reports/io.js";
import { makeTame } from "../../text/safe-text.js";
import { createProgressPrinter } from "../../toolchain/progress.js";

/** @returns the Io, and what the command would have printed as its result so far */
export function createPortIo({ env, on, ask, signal }: AutomationPort): { io: Io; printed: () => string } {
  const { stream, text } = captureOutput();
  const io: Io = {
    stdin: Readable.from([]),
    stdout: stream,
    stderr: createSilentOutput(),
    env: { ...env },
    interactive: false,
    answers: ask !== undefined,
    colors: pc.createColors(false),
    on: (event) => on("message" in event ? { ...event, message: makeTame(event.message) } : event),
    ask: async (question) => ask && (await ask(question)) === true,
    askSecret: () => Promise.resolve(undefined),
    follow: (frames) => Promise.resolve(reportFrames(frames, on)),
    followInstallation: () =>
      Promise.resolve(createProgressPrinter({ write: (line) => note(io, line.trim()) })),
    signal,
  };
  return { io, printed: text };
}
