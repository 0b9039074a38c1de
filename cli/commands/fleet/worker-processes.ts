/** Starts the processes that run `workspacectl` for workspaces of a fleet. One that waits for a lock lets another one run meanwhile. */
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { LimitFunction } from "p-limit";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import { type TurnMessage, TURNS_VARIABLE } from "../../../automation/stack/fleet-turn.js";
import { getCommandFile } from "../../../toolchain/locations.js";
import { OWN_GROUP, startProgram } from "../../../trust/start-program.js";

/** The turn of a process. */
export interface Turn {
  /** The process waits, so another one may run. */
  readonly give: () => void;
  /** Waits until it is this process's turn again. */
  readonly take: () => Promise<void>;
}

/** Does some work when it is its turn. */
export async function inTurn<T>(limit: LimitFunction, work: (turn: Turn) => Promise<T>): Promise<T> {
  let give = await take(limit);
  let isOver = false;
  try {
    return await work({
      give: () => give(),
      async take() {
        const again = await take(limit);
        if (isOver) again();
        else give = again;
      },
    });
  } finally {
    isOver = true;
    give();
  }
}

/** @returns a function that ends the turn */
function take(limit: LimitFunction): Promise<() => void> {
  return new Promise((taken) => void limit(() => new Promise<void>((give) => taken(give))));
}

interface ChildEnded {
  readonly exitCode: number;
  readonly stdout: string;
}

/** A command for a process. */
export interface WorkerRequest {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** What a process says: that it waits for something, a line of standard error, and its end. */
export type WorkerMessage = TurnMessage | { readonly line: string } | ChildEnded;

/** Runs a command, and passes on each line of its standard error. */
export type StartChild = (
  request: WorkerRequest,
  onLine: (line: string) => void,
  turn: Turn,
) => Promise<ChildEnded>;

/**
 * Has a process for each command that runs. One that has ended its command well gets the next, and finds its code loaded and compiled: that takes half as
 * long. A process for changes gets no other, because what a lost run leaves behind is known by the end of its process.
 */
export class WorkerPool {
  private readonly idle = new Set<Worker>();

  /** @param signal ends the processes */
  constructor(
    private readonly signal: AbortSignal,
    private readonly isReused: boolean,
  ) {}

  readonly start: StartChild = async ({ argv, env }, onLine, turn) => {
    const request = { argv, env: { ...env, [TURNS_VARIABLE]: "1" } };
    const [worker = new Worker(request.env, this.signal)] = this.listIdle();
    this.idle.delete(worker);
    const ended = await worker.run(request, onLine, turn);
    if (this.isReused && REUSED_AFTER.has(ended.exitCode)) this.idle.add(worker);
    else await worker.end();
    return ended;
  };

  /** Ids of the processes that wait for a command. */
  get processes(): readonly (number | undefined)[] {
    return this.listIdle().map(({ pid }) => pid);
  }

  private listIdle(): Worker[] {
    return [...this.idle].filter(({ isConnected }) => isConnected);
  }

  /** Ends the processes that wait for a command. */
  async close(): Promise<void> {
    const ended = [...this.idle].map((worker) => worker.end());
    this.idle.clear();
    await Promise.all(ended);
  }
}

/** A process that has failed may keep the reason for it. */
const REUSED_AFTER: ReadonlySet<number> = new Set([exitCodes.ok, exitCodes.drift, exitCodes.incomplete]);

class Worker {
  private readonly child;
  private onMessage: (message: WorkerMessage) => void = () => undefined;

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly signal: AbortSignal,
  ) {
    const worker = join(dirname(getCommandFile()), "fleet-worker.js");
    this.child = startProgram(
      process.execPath,
      [worker],
      { cwd: process.cwd(), env },
      {
        ipc: true,
        stdin: "ignore",
        stdout: "ignore",
        buffer: false,
        ...OWN_GROUP,
      },
    );
    // Each signal is forwarded: after the first, running operations finish and are saved.
    const end = () => this.child.kill("SIGINT");
    signal.addEventListener("abort", end);
    this.child.once("exit", () => signal.removeEventListener("abort", end));
    this.child.on("message", (message) => this.onMessage(message as WorkerMessage));
    // What Node.js writes, such as the error that ends the process. The command's own lines are messages.
    createInterface({ input: this.child.stderr }).on("line", (line) => this.onMessage({ line }));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isConnected(): boolean {
    return this.child.connected;
  }

  async run(request: WorkerRequest, onLine: (line: string) => void, turn: Turn): Promise<ChildEnded> {
    const ended = new Promise<ChildEnded>((resolve) => {
      this.onMessage = (message) => {
        if (message === "waits") turn.give();
        else if (message === "continues") void turn.take().then(() => this.send("continue"));
        else if ("line" in message) onLine(message.line);
        else resolve(message);
      };
    });
    this.send(request);
    return Promise.race([ended, this.waitForExit(onLine)]);
  }

  /** Waits until the process has ended, and with it its files. */
  async end(): Promise<void> {
    if (this.isConnected) this.child.disconnect();
    await this.child;
  }

  /** The process may have ended meanwhile. */
  private send(message: WorkerRequest | "continue"): void {
    if (this.isConnected) this.child.send(message, () => undefined);
  }

  /** Waits for the end of a process that ends before its command. */
  private async waitForExit(onLine: (line: string) => void): Promise<ChildEnded> {
    const { exitCode, failed, message } = await this.child;
    const { aborted } = this.signal;
    if (exitCode === undefined && failed && !aborted) onLine(message ?? "");
    return { exitCode: exitCode ?? (aborted ? exitCodes.interrupted : exitCodes.error), stdout: "" };
  }
}
