/**
 * Is the engine that started this provider still there? After kill -9 of the CLI nobody tells the provider, which would go
 * on changing the workspace for a state that nobody writes.
 */
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { endIdleHosts } from "./idle-hosts.js";

export interface EngineAddress {
  readonly host: string;
  readonly port: number;
}

/** The host of dynamic providers is told the engine's address as its argument; no other program is. */
export function engineAddress(text: string | undefined = ofThisProcess()): EngineAddress | undefined {
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d+)$/.exec(text ?? "") ?? [];
  return host === undefined ? undefined : { host, port: Number(port) };
}

function ofThisProcess(): string | undefined {
  const [, script = "", address] = process.argv;
  const isHost = [basename(script), basename(dirname(script))].includes("dynamic-provider");
  return isHost ? address : undefined;
}

/**
 * Ends this process as soon as its engine is gone: a connection to the engine that is kept open ends with it. Does nothing
 * in any other program, and keeps no process alive.
 */
export function leaveWithEngine(): void {
  const text = ofThisProcess();
  const address = engineAddress(text);
  if (text === undefined || address === undefined) return;
  follow(address, () => {
    endIdleHosts(text);
    process.exit(1);
  });
}

/** A connection that says nothing is closed by the engine once in a while: only one that is refused says it is gone. */
export function follow(address: EngineAddress, leave: () => void): Socket {
  const socket = connect(address);
  let refused = false;
  socket.unref();
  socket.resume();
  socket.on("error", (error: NodeJS.ErrnoException) => {
    refused = error.code === "ECONNREFUSED";
  });
  socket.on("close", () => {
    if (refused) leave();
    else setTimeout(() => follow(address, leave), 100).unref();
  });
  return socket;
}

/** Does anybody answer at the address? */
export function isListening(address: EngineAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: 2000 });
    const answer = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.on("connect", () => answer(true));
    socket.on("timeout", () => answer(true));
    socket.on("error", () => answer(false));
  });
}

/** Is there a process of this number on this machine? */
export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
