/** Provides an emulator and a user, with or without a terminal, for tests of commands that use the service. */
import { readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach } from "vitest";
import { runMain } from "../../cli/program.js";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { type Ran, temporaryFolder, testIo } from "./support.js";

const running: Emulator[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts an emulator that is closed after the test. */
export async function emulated(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

export interface Typed {
  /** The text on standard input, which ends after it unless `onNote` writes more. */
  readonly input?: string;
  /** Replaces the user's browser. */
  readonly browse?: (url: string) => Promise<void>;
  /** Connects standard error to a terminal. */
  readonly terminal?: boolean;
  /** Is called with the whole line whenever text is written to standard error. */
  readonly onNote?: (written: string, stdin: NodeJS.WritableStream) => void;
}

/** A user with their own credentials file. */
export class Person {
  readonly file = join(temporaryFolder(), "kept", "credentials.json");
  readonly env: NodeJS.ProcessEnv = {};

  constructor(env: NodeJS.ProcessEnv = {}) {
    const answers = join(this.file, "../../answers");
    const own = { WORKSPACE_AUTOMATION_CREDENTIALS: this.file, WORKSPACE_AUTOMATION_ANSWERS: answers };
    Object.assign(this.env, own, env);
  }

  /** Runs `workspacectl` with the given arguments. */
  async types(argv: readonly string[], { input, browse, terminal, onNote }: Typed = {}): Promise<Ran> {
    const { io, written } = testIo({ ...this.env });
    const stdin = io.stdin as unknown as NodeJS.WritableStream;
    if (input !== undefined) stdin.write(input);
    if (!onNote) stdin.end();
    if (onNote) {
      const write = io.stderr.write.bind(io.stderr) as (text: string) => boolean;
      io.stderr.write = ((text: string) => {
        const done = write(text);
        onNote(text, stdin);
        return done;
      }) as typeof io.stderr.write;
    }
    if (terminal) Object.assign(io.stderr, { isTTY: true, columns: 100, rows: 30 });
    const code = await runMain(argv, browse ? { ...io, browse } : io);
    return { code, ...written() };
  }

  /** Reads the credentials file. */
  kept(): { connections: Record<string, Kept>; oauthClients: Record<string, Record<string, unknown>> } {
    return JSON.parse(readFileSync(this.file, "utf8")) as ReturnType<Person["kept"]>;
  }

  /** Returns the modes of the file and its folder. */
  modes(): { file: string; folder: string } {
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    return { file: mode(this.file), folder: mode(join(this.file, "..")) };
  }
}

export interface Kept {
  baseUrl: string;
  workspace?: string;
  token?: string;
  oauth?: {
    grant: string;
    clientId: string;
    clientSecret?: string;
    scopes: string[];
    tokens: { accessToken: string; refreshToken?: string; obtainedAt: number; expiresAt: number };
  };
}

/** Creates a user whose environment points to the emulator. */
export function personAt({ baseUrl, token, workspace }: Emulator): Person {
  return new Person({
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_DOMAIN: workspace,
  });
}

/** Finds a TCP port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Submits a decision on the consent page and returns the address that it redirects to. */
export async function decideAt(url: string, decision: "approve" | "deny"): Promise<string> {
  const page = await (await fetch(url)).text();
  const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ user: "owner@example.com", decision, consent }),
  });
  const back = answer.headers.get("location");
  if (back === null) throw new Error(`the consent page answered ${answer.status}: ${await answer.text()}`);
  return back;
}
