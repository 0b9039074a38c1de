/** Entry of a process that runs one command of a fleet after another: all but the first find the code loaded and compiled. */
import { Writable } from "node:stream";
import { removeTemporaryFolders } from "../../../automation/temporary-folders.js";
import { captureOutput } from "../../../reports/io.js";
import { runMain } from "../../program.js";
import { ignoreClosedPipes, processIo } from "../../terminal/io.js";
import type { WorkerMessage, WorkerRequest } from "./worker-processes.js";

let isRunning = false;

async function run({ argv, env }: WorkerRequest): Promise<void> {
  isRunning = true;
  replaceEnvironment(env);
  const { stream, text } = captureOutput();
  const lines = createLineStream((line) => send({ line }));
  const io = { ...processIo(), stdout: stream, stderr: lines.stream, interactive: false };
  const exitCode = await runMain(argv, io);
  lines.end();
  removeTemporaryFolders();
  isRunning = false;
  send({ exitCode, stdout: text() });
  if (!process.connected) process.exit(exitCode);
}

/** Removes what only the workspace before had set. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/** Returns a stream that passes on each line. */
function createLineStream(onLine: (line: string) => void) {
  let rest = "";
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      const lines = (rest + chunk.toString()).split(/\r?\n/);
      rest = lines.pop() ?? "";
      lines.forEach(onLine);
      done();
    },
  });
  const end = () => (rest === "" ? undefined : onLine(rest));
  return { stream, end };
}

/** A fleet that has ended does not hold up what runs. */
function send(message: WorkerMessage): void {
  process.send?.(message, () => undefined);
}

ignoreClosedPipes();
process.on("message", (message: WorkerRequest | string) => {
  // The rest is for engine/stack/fleet-turn.ts.
  if (typeof message === "object") void run(message);
});
process.on("disconnect", () => {
  if (!isRunning) process.exit(0);
});
