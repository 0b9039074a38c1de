/**
 * Ends this process when its engine has ended. After kill -9 of the CLI, nothing else stops the provider. It would go on changing the
 * workspace although the state is no longer written.
 */
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { endIdleHosts } from "./idle-hosts.js";

export interface EngineAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * The engine's address, which the host of dynamic providers gets as its argument. Other programs have none. An engine is on this machine:
 * a journal in a checkout must not choose another one to connect to.
 */
export function parseEngineAddress(
  text: string | undefined = findOwnEngineAddress(),
): EngineAddress | undefined {
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d+)$/.exec(text ?? "") ?? [];
  if (host === undefined || !LOOPBACK.test(host) || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function findOwnEngineAddress(): string | undefined {
  const [, script = "", address] = process.argv;
  const isHost = [basename(script), basename(dirname(script))].includes("dynamic-provider");
  return isHost ? address : undefined;
}

/**
 * Ends this process when its engine ends, by an open connection to it. Does nothing in other programs, and keeps no process
 * alive.
 */
export function leaveWithEngine(): void {
  const text = findOwnEngineAddress();
  const address = parseEngineAddress(text);
  if (text === undefined || address === undefined) return;
  follow(address, () => {
    endIdleHosts(text);
    process.exit(1);
  });
}

/** Calls `leave` when a connection is refused. The engine itself closes idle connections now and then. */
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

/** Whether a process listens at the address. One that takes longer to answer does. */
export function isListening(address: EngineAddress, patienceMs: number): Promise<boolean> {
  if (patienceMs <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: patienceMs });
    const end = (listening: boolean) => {
      socket.destroy();
      resolve(listening);
    };
    socket.on("connect", () => end(true));
    socket.on("timeout", () => end(true));
    socket.on("error", () => end(false));
  });
}

/** Whether a process with this id runs on this machine. */
export function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
