/** Other processes that call a port on the loopback interface, also as another user. */
import { spawn } from "node:child_process";
import type http2 from "node:http2";

/** A user without rights. Only root can start a process as another user. */
export const OTHER_USER = 65_534;
export const whyNoOtherUser =
  process.platform !== "linux"
    ? "only Linux tells who is at the other end of a connection"
    : process.geteuid?.() === 0
      ? undefined
      : "only root can start a process as another user";

export interface Call {
  readonly port: number;
  /** Method of gRPC, such as /pulumirpc.LanguageRuntime/Run. */
  readonly path: string;
  readonly message?: Uint8Array;
  /** Address to connect to. */
  readonly host?: string;
  readonly localAddress?: string;
  readonly localPort?: number;
  /** Close the connection when everything is sent, without waiting for a response. */
  readonly isHasty?: boolean;
}

/** Calls a method and prints `status N` of gRPC, or `closed`. It is passed to other processes as text, so it uses nothing of this module. */
function caller(
  call: Call & { base64: string },
  http: typeof http2,
  connect: (options: object) => NodeJS.Socket,
): void {
  const { port, path, host = "127.0.0.1", localAddress, localPort, base64, isHasty } = call;
  let isDone = false;
  const say = (text: string) => {
    if (!isDone) process.stdout.write(text, () => process.exit(0));
    isDone = true;
  };
  const socket = connect({ port, host, localAddress, localPort });
  const session = http.connect(`http://${host.includes(":") ? "localhost" : host}:${port}`, {
    createConnection: () => socket as never,
  });
  session.on("error", () => say("closed")).on("close", () => say("closed"));
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    te: "trailers",
    "content-type": "application/grpc",
  });
  const receive = (headers: http2.IncomingHttpHeaders) => {
    const { "grpc-status": status, "grpc-message": message = "" } = headers;
    if (typeof status === "string") say(`status ${status} ${String(message)}`.trim());
  };
  stream
    .on("response", receive)
    .on("trailers", receive)
    .on("error", () => say("closed"));
  stream.resume();
  stream.end(Buffer.from(base64, "base64"));
  if (isHasty) setTimeout(() => session.destroy(), 0);
}

/** Makes a call in another process. @returns what it prints */
export function callFrom(user: number | undefined, call: Call, shell = false): Promise<string> {
  const { message = new Uint8Array() } = call;
  const frame = Buffer.concat([Buffer.from([0]), lengthOf(message), message]);
  const args = JSON.stringify({ ...call, message: undefined, base64: frame.toString("base64") });
  const code = `(${caller.toString()})(${args}, require("node:http2"), (options) => require("node:net").connect(options))`;
  const argv = shell
    ? (["/bin/sh", ["-c", '"$0" "$@"; true', process.execPath, "-e", code]] as const)
    : ([process.execPath, ["-e", code]] as const);
  const child = spawn(argv[0], argv[1], {
    ...(user === undefined ? {} : { uid: user, gid: user }),
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
  });
  lastPid = child.pid;
  let said = "";
  child.stdout.on("data", (text: Buffer) => (said += text.toString()));
  return new Promise((resolve) => child.once("close", () => resolve(said.trim())));
}

let lastPid: number | undefined;

/** The process that {@link callFrom} has started last. */
export function pidOfCaller(): number {
  return lastPid ?? 0;
}

function lengthOf(message: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length);
  return length;
}
