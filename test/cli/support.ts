/** Runs `workspacectl` inside the test, and captures its output. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import pc from "picocolors";
import { afterAll } from "vitest";
import { runMain } from "../../cli/program.js";
import { terminalPort } from "../../cli/terminal/terminal-port.js";
import type { Io } from "../../reports/io.js";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates an Io without a terminal that captures the output. */
export function testIo(env: NodeJS.ProcessEnv = {}): { io: Io; written: () => Omit<Ran, "code"> } {
  let [out, err] = ["", ""];
  const into = (add: (text: string) => void) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        add(chunk.toString());
        done();
      },
    });
  const io: Io = {
    ...terminalPort,
    stdin: new PassThrough(),
    stdout: into((text) => (out += text)),
    stderr: into((text) => (err += text)),
    env,
    interactive: false,
    colors: pc.createColors(false),
  };
  return { io, written: () => ({ stdout: out, stderr: err }) };
}

export async function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const { io, written } = testIo(env);
  const code = await runMain(argv, io);
  return { code, ...written() };
}

/** Creates a folder that is deleted after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "workspacectl-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file to a folder and returns its path. */
export function fileIn(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
