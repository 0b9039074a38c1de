/**
 * Who may talk to a port of ours on the loopback interface, which every user of the machine can reach: processes of our own user and, for
 * the port of an operation, only of the engine that we started. Linux tells in /proc who is at the other end of a connection. Elsewhere
 * one cannot be distinguished from another, so there each local user is trusted while an operation runs.
 */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { isIPv4, type Socket } from "node:net";
import { endianness } from "node:os";
import { setTimeout } from "node:timers/promises";
import { TrustError } from "./errors.js";

export interface Peers {
  /** @throws {TrustError} when the process at the other end of an accepted connection may not call */
  admit(socket: Pick<Socket, "remoteAddress" | "remotePort" | "localAddress" | "localPort">): Promise<void>;
  /** @throws {TrustError} when another process than those listens at an address, such as 127.0.0.1:4711 */
  admitServer(address: string): Promise<void>;
}

/** What the system tells about the ends of connections. */
type Visibility = "nothing" | "users" | "processes";

/** A row of the table of connections. */
interface Row {
  readonly uid: number;
  readonly inode: string;
}

const STATES = { established: "01", listening: "0A" } as const;

/**
 * The table is read in several steps, so that a row may be missed while others come and go. A connection that is not in it after these
 * times is closed.
 */
const RETRIES_MS = [0, 1, 4, 16, 64];

/**
 * @param ownPort port that this process serves, by which it finds out what the system tells
 * @param engine process id of the engine; absent where any process of this user may call
 */
export function watchPeers(ownPort: number, engine?: Promise<number>): Peers {
  let visibility: Visibility | undefined;
  const requireOwner = async (find: () => Row | undefined, what: string): Promise<void> => {
    visibility ??= getVisibility(ownPort);
    if (visibility === "nothing") return;
    const row = await findRepeatedly(find);
    if (row === undefined)
      throw createRefusedError(what, "the system does not say which program is at the other end");
    if (row.uid !== process.geteuid?.())
      throw createRefusedError(what, `the program at the other end runs as another user (number ${row.uid})`);
    if (visibility === "users" || engine === undefined) return;
    if (!hasSocket(await engine, row.inode))
      throw createRefusedError(what, "the program at the other end is not that Pulumi");
  };
  return {
    admit({ remoteAddress = "", remotePort = 0, localAddress = "", localPort = 0 }) {
      const here = listForms(localAddress, localPort);
      const there = listForms(remoteAddress, remotePort);
      // The owner of the other end is in its own row, not in that of ours.
      const find = () => findRow(there.map((form, index) => `${form} ${here[index]} ${STATES.established}`));
      return requireOwner(find, `a connection from ${remoteAddress}:${remotePort} to ${PORT}`);
    },
    async admitServer(address) {
      const [, host = "", port = ""] = /^(127\.0\.0\.1):(\d{1,5})$/.exec(address) ?? [];
      if (host === "")
        throw createRefusedError(
          `a request on ${PORT}, to call ${address},`,
          "that is not an address of this machine",
        );
      await requireOwner(
        () => findRow(listListenersAt(Number(port))),
        `a request on ${PORT}, to call the server at ${address},`,
      );
    },
  };
}

const PORT = "the port that this command has opened for Pulumi";

function createRefusedError(what: string, why: string): TrustError {
  return new TrustError(
    "peer",
    `${what} was refused, because ${why}`,
    "Only the Pulumi process that this command has started may use that port. Nothing was done for the other program: if you did not start it, find out which program of this machine it is",
  );
}

function getVisibility(ownPort: number): Visibility {
  const row = findRow(listListenersAt(ownPort));
  if (row === undefined || process.geteuid === undefined) return "nothing";
  return listSockets(process.pid).includes(row.inode) ? "processes" : "users";
}

async function findRepeatedly(find: () => Row | undefined): Promise<Row | undefined> {
  for (const wait of RETRIES_MS) {
    if (wait > 0) await setTimeout(wait);
    const row = find();
    if (row !== undefined) return row;
  }
  return undefined;
}

/** Finds the row of a socket by its beginning: both ends and the state. Sockets of a process that has closed them have no inode. */
function findRow(beginnings: readonly string[]): Row | undefined {
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const line of readLines(table)) {
      if (!beginnings.some((beginning) => line.includes(` ${beginning} `))) continue;
      const [, , , , , , , uid, , inode = "0"] = line.trim().split(/ +/);
      if (inode !== "0") return { uid: Number(uid), inode };
    }
  return undefined;
}

/** Reads a page at a time, as the system returns it: servers come first, and the whole of a long table takes milliseconds. */
function* readLines(file: string): Iterable<string> {
  const descriptor = attempt(() => openSync(file, "r"));
  if (descriptor === undefined) return;
  try {
    const page = Buffer.allocUnsafe(1 << 16);
    let rest = "";
    for (let size = -1; size !== 0;) {
      size = attempt(() => readSync(descriptor, page)) ?? 0;
      const lines = (rest + page.toString("latin1", 0, size)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    closeSync(descriptor);
  }
}

function readText(file: string): string {
  return attempt(() => readFileSync(file, "latin1")) ?? "";
}

/** The beginnings of the row of a socket that listens on a port of the loopback interface. */
function listListenersAt(port: number): string[] {
  const anybody = listForms("0.0.0.0", 0);
  return listForms("127.0.0.1", port).map((form, index) => `${form} ${anybody[index]} ${STATES.listening}`);
}

/** An end of a connection as the tables write it: as an IPv4 address, and the same address in the form of IPv6. */
function listForms(address: string, port: number): string[] {
  const plain = address.replace(/^::ffff:/i, "");
  const bytes = isIPv4(plain) ? plain.split(".").map(Number) : [];
  const word = (parts: readonly number[]) =>
    Buffer.from(endianness() === "LE" ? parts.toReversed() : parts)
      .toString("hex")
      .toUpperCase();
  const end = port.toString(16).toUpperCase().padStart(4, "0");
  const mapped = `0000000000000000${word([0, 0, 255, 255])}`;
  return [`${word(bytes)}:${end}`, `${mapped}${word(bytes)}:${end}`];
}

/** Whether a process, or one that it has started, has the socket open. */
function hasSocket(pid: number, inode: string): boolean {
  return listSockets(pid).includes(inode) || listChildren(pid).some((child) => hasSocket(child, inode));
}

function listSockets(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return listNamesIn(folder).flatMap((name) => {
    const link = attempt(() => readlinkSync(`${folder}/${name}`)) ?? "";
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  });
}

/** Each thread of a process has a list of the processes that it has started. */
function listChildren(pid: number): number[] {
  const folder = `/proc/${pid}/task`;
  const lists = listNamesIn(folder).map((thread) => readText(`${folder}/${thread}/children`));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

function listNamesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

/** Processes end at any time, and some systems have no such files. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
