/**
 * A gRPC server on the loopback interface, for Pulumi's engine, over the HTTP/2 of Node.js. The library @grpc/grpc-js passes each message
 * through interceptors, filters and streams for proxies, retries and compression. Two processes on one machine do not need them, and they
 * took a sixth of a preview's CPU time.
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { EventEmitter } from "node:events";
import http2, { type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type grpc from "@grpc/grpc-js";
import { type Peers, watchPeers } from "../../trust/peers.js";
import type { Failure } from "./failure.js";

/** Status codes of gRPC. */
export const status = { OK: 0, UNKNOWN: 2, UNIMPLEMENTED: 12, INTERNAL: 13, UNAVAILABLE: 14 } as const;

/** Large enough for a state with large texts, so that the sender does not wait for windows to open. */
export const WINDOW = 16 * 1024 * 1024;
export const OPTIONS = {
  settings: { initialWindowSize: WINDOW },
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
  // The details of a partial creation contain the whole object in a header. Go accepts 16 MB.
  maxSendHeaderBlockLength: WINDOW,
};
export const CONTENT = { "content-type": "application/grpc" };

export interface Server {
  readonly port: number;
  /** Who may call. */
  readonly peers: Peers;
  /** Begins to respond. Until then, connections wait. Methods without an implementation respond with UNIMPLEMENTED. */
  readonly respond: (services: readonly GrpcService[]) => void;
  /** Ends all calls. */
  readonly close: () => void;
}

export type GrpcService = readonly [grpc.ServiceDefinition, grpc.UntypedServiceImplementation];

export type Respond = (error: Failure | null, response?: unknown) => void;
type Handler = (call: unknown, callback: Respond) => void;

interface Method {
  readonly definition: grpc.MethodDefinition<unknown, unknown>;
  readonly handler: Handler;
}

export interface ServeOptions {
  /** Process id of the engine, which alone may call then; absent where any process of this user may. */
  readonly engine?: Promise<number>;
  /** Receives the reason why a connection was closed before anything was read from it. */
  readonly onRefused?: (reason: string) => void;
}

/** Serves until it is closed. */
export async function serve(services: readonly GrpcService[], options?: ServeOptions): Promise<Server> {
  const server = await listen(options);
  server.respond(services);
  return server;
}

/** Opens a port before the services exist, because both take time. */
export async function listen({ engine, onRefused }: ServeOptions = {}): Promise<Server> {
  let methods: ReadonlyMap<string, Method> = new Map();
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const http = http2.createServer(OPTIONS);
  const sessions = new Set<ServerHttp2Session>();
  http.on("session", (session) => {
    sessions.add(session);
    session.setLocalWindowSize(WINDOW);
    session.once("close", () => sessions.delete(session));
  });
  http.on("stream", (stream, headers) => handle(methods.get(headers[":path"] ?? ""), stream));
  // An interrupted connection no longer expects a response.
  http.on("sessionError", () => {});
  const waiting = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => waiting.delete(socket));
    Promise.all([peers.admit(socket), begun]).then(
      () => {
        if (!waiting.delete(socket)) return;
        http.emit("connection", socket);
        socket.resume();
      },
      (error: Error) => {
        socket.destroy();
        onRefused?.(error.message);
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const peers = watchPeers(port, engine);
  const close = () => {
    server.close();
    for (const one of [...sessions, ...waiting]) one.destroy();
  };
  const respond = (services: readonly GrpcService[]) => {
    methods = getMethods(services);
    begin();
  };
  return { port, peers, respond, close };
}

function getMethods(services: readonly GrpcService[]): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  for (const [definitions, implementation] of services)
    for (const [name, definition] of Object.entries(definitions)) {
      const handler = implementation[name] as unknown as Handler | undefined;
      if (handler) methods.set(definition.path, { definition, handler });
    }
  return methods;
}

function handle(method: Method | undefined, stream: ServerHttp2Stream): void {
  stream.on("error", () => {});
  const respond: Respond = (error, response) => {
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    if (error || method === undefined) {
      const failure = error ?? { code: status.UNIMPLEMENTED, details: "" };
      stream.respond({ ...CONTENT, ...getHeaders(failure) }, { endStream: true });
      return;
    }
    stream.respond(CONTENT, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": status.OK }));
    stream.end(frameMessage(method.definition.responseSerialize(response)));
  };
  if (method === undefined) return respond(null);
  const { definition, handler } = method;
  const read = (message: Buffer): unknown => definition.requestDeserialize(message);
  const refuse = () => respond({ code: status.UNIMPLEMENTED, details: COMPRESSED });
  if (definition.responseStream) {
    onMessages(stream, (message) => respondInParts(method, read(message), stream, respond), refuse);
    return;
  }
  if (!definition.requestStream) {
    onMessages(stream, (message) => handler({ request: read(message) }, respond), refuse);
    return;
  }
  const call = new EventEmitter();
  handler(call, respond);
  onMessages(stream, (message) => call.emit("data", read(message)), refuse);
  stream.once("end", () => call.emit("end"));
}

function getHeaders({ code, details, headers }: Failure): Readonly<Record<string, string | number>> {
  return { "grpc-status": code, "grpc-message": encodeURI(Buffer.from(details).toString()), ...headers };
}

/** @param refuse responds with an error before anything is sent */
function respondInParts(
  { definition, handler }: Method,
  request: unknown,
  stream: ServerHttp2Stream,
  refuse: Respond,
): void {
  let trailers: Readonly<Record<string, string | number>> = { "grpc-status": status.OK };
  const isClosed = () => stream.destroyed || stream.closed;
  const begin = () => {
    if (stream.headersSent) return;
    stream.respond(CONTENT, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers(trailers));
  };
  const write = (response: unknown) => {
    if (isClosed()) return;
    begin();
    stream.write(frameMessage(definition.responseSerialize(response)));
  };
  handler({ request, write }, (error) => {
    if (isClosed()) return;
    if (error && !stream.headersSent) return refuse(error);
    begin();
    if (error) trailers = getHeaders(error);
    stream.end();
  });
}

/** A message after its prefix of five bytes: "not compressed", and the length. */
export function frameMessage(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length);
  frame.writeUInt8(0, 0);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}

const COMPRESSED = "a message is compressed, which this server does not support: send it as it is (identity)";

/** @param refuse receives a compressed message instead */
export function onMessages(
  stream: NodeJS.ReadableStream,
  receive: (message: Buffer) => void,
  refuse: () => void,
): void {
  let received: Buffer[] = [];
  let [size, needed] = [0, 5];
  stream.on("data", (chunk: Buffer) => {
    received.push(chunk);
    size += chunk.length;
    while (size >= needed) {
      const whole = received.length === 1 ? (received[0] as Buffer) : Buffer.concat(received);
      const length = 5 + whole.readUInt32BE(1);
      if (whole[0] !== 0) return refuse();
      if (size >= length) receive(whole.subarray(5, length));
      const rest = size >= length ? whole.subarray(length) : whole;
      [received, size, needed] = [rest.length > 0 ? [rest] : [], rest.length, size >= length ? 5 : length];
    }
  });
}
