/**
 * gRPC on the loopback interface, between Pulumi's engine and its plugins, over the HTTP/2 of Node.js. The library @grpc/grpc-js passes
 * each message through interceptors, filters and streams for proxies, retries and compression. Two processes on one machine do not need
 * them, and they took a sixth of a preview's CPU time.
 * @see https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
 */
import { EventEmitter } from "node:events";
import http2, { type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type grpc from "@grpc/grpc-js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import { peersOf, type Peers } from "../../trust/peers.js";
import { failureOf, type Failure } from "./failure.js";

export type Props = Record<string, unknown>;
export type Struct = structProto.Struct;

/** Status codes of gRPC. */
export const status = { OK: 0, UNKNOWN: 2, UNIMPLEMENTED: 12, INTERNAL: 13, UNAVAILABLE: 14 } as const;

/** Large enough for a state with large texts, so that the sender does not wait for windows to open. */
const WINDOW = 16 * 1024 * 1024;
const OPTIONS = {
  settings: { initialWindowSize: WINDOW },
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
  // The details of a partial creation contain the whole object in a header. Go accepts 16 MB.
  maxSendHeaderBlockLength: WINDOW,
};
const CONTENT = { "content-type": "application/grpc" };

export interface Server {
  readonly port: number;
  /** Who may call. */
  readonly peers: Peers;
  /** Ends all calls. */
  readonly close: () => void;
}

export type GrpcService = readonly [grpc.ServiceDefinition, grpc.UntypedServiceImplementation];

type Callback = (error: Failure | null, response?: unknown) => void;
type Handler = (call: unknown, callback: Callback) => void;

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

/** Serves until it is closed. Methods without an implementation respond with UNIMPLEMENTED. */
export async function serve(
  services: readonly GrpcService[],
  { engine, onRefused }: ServeOptions = {},
): Promise<Server> {
  const methods = new Map<string, Method>();
  for (const [definitions, implementation] of services)
    for (const [name, definition] of Object.entries(definitions)) {
      const handler = implementation[name] as unknown as Handler | undefined;
      if (handler) methods.set(definition.path, { definition, handler });
    }
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
    peers.admit(socket).then(
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
  const peers = peersOf(port, engine);
  const close = () => {
    server.close();
    for (const one of [...sessions, ...waiting]) one.destroy();
  };
  return { port, peers, close };
}

function handle(method: Method | undefined, stream: ServerHttp2Stream): void {
  stream.on("error", () => {});
  const respond: Callback = (error, response) => {
    if (stream.destroyed || stream.closed || stream.headersSent) return;
    if (error || method === undefined) {
      const failure = error ?? { code: status.UNIMPLEMENTED, details: "" };
      stream.respond({ ...CONTENT, ...headersOf(failure) }, { endStream: true });
      return;
    }
    stream.respond(CONTENT, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": status.OK }));
    stream.end(framed(method.definition.responseSerialize(response)));
  };
  if (method === undefined) return respond(null);
  const { definition, handler } = method;
  const read = (message: Buffer): unknown => definition.requestDeserialize(message);
  if (definition.responseStream) {
    onMessages(stream, (message) => respondInParts(method, read(message), stream, respond));
    return;
  }
  if (!definition.requestStream) {
    onMessages(stream, (message) => handler({ request: read(message) }, respond));
    return;
  }
  const call = new EventEmitter();
  handler(call, respond);
  onMessages(stream, (message) => call.emit("data", read(message)));
  stream.once("end", () => call.emit("end"));
}

function headersOf({ code, details, headers }: Failure): Readonly<Record<string, string | number>> {
  return { "grpc-status": code, "grpc-message": encodeURI(Buffer.from(details).toString()), ...headers };
}

/** @param refuse responds with an error before anything is sent */
function respondInParts(
  { definition, handler }: Method,
  request: unknown,
  stream: ServerHttp2Stream,
  refuse: Callback,
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
    stream.write(framed(definition.responseSerialize(response)));
  };
  handler({ request, write }, (error) => {
    if (isClosed()) return;
    if (error && !stream.headersSent) return refuse(error);
    begin();
    if (error) trailers = headersOf(error);
    stream.end();
  });
}

/** A client of a service of the engine. */
export class GrpcClient {
  private readonly session: http2.ClientHttp2Session;

  /** @param address host and port */
  constructor(address: string) {
    this.session = http2.connect(`http://${address}`, OPTIONS);
    this.session.once("connect", () => this.session.setLocalWindowSize(WINDOW));
    // Each call reports the error.
    this.session.on("error", () => {});
  }

  /** @throws {GrpcError} */
  call<Request, Response>(
    { path, requestSerialize, responseDeserialize }: grpc.MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const stream = this.session.request({ ":method": "POST", ":path": path, te: "trailers", ...CONTENT });
      let [latest, failure]: [IncomingHttpHeaders, string] = [{}, "the connection was closed"];
      let message: Buffer | undefined;
      // The headers or the trailers contain the status.
      const receive = (headers: IncomingHttpHeaders) => (latest = headers);
      stream.on("response", receive).on("trailers", receive);
      stream.on("error", (error: Error) => (failure = error.message));
      onMessages(stream, (received) => (message = received));
      stream.on("close", () => {
        const code = Number(latest["grpc-status"] ?? status.UNAVAILABLE);
        if (code === status.OK && message) resolve(responseDeserialize(message));
        else reject(new GrpcError(code, decodeURIComponent(String(latest["grpc-message"] ?? failure))));
      });
      stream.end(framed(requestSerialize(request)));
    });
  }

  close(): void {
    this.session.destroy();
  }
}

/** An error that the other side reported, or the loss of the connection. */
export class GrpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A message after its prefix of five bytes: "not compressed", and the length. */
function framed(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(5 + message.length);
  frame.writeUInt8(0, 0);
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, 5);
  return frame;
}

function onMessages(stream: NodeJS.ReadableStream, receive: (message: Buffer) => void): void {
  let received: Buffer[] = [];
  let [size, needed] = [0, 5];
  stream.on("data", (chunk: Buffer) => {
    received.push(chunk);
    size += chunk.length;
    while (size >= needed) {
      const whole = received.length === 1 ? (received[0] as Buffer) : Buffer.concat(received);
      const length = 5 + whole.readUInt32BE(1);
      if (size >= length) receive(whole.subarray(5, length));
      const rest = size >= length ? whole.subarray(length) : whole;
      [received, size, needed] = [rest.length > 0 ? [rest] : [], rest.length, size >= length ? 5 : length];
    }
  });
}

/** A handler of one request with one response. */
export function unary<Request, Response>(
  respond: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    Promise.resolve()
      .then(() => respond(request))
      .then(
        (response) => callback(null, response),
        (error: unknown) => (callback as Callback)(failureOf(error)),
      );
  };
}

/** A handler of one request with a response in parts. Each part is sent as soon as it is written. */
export function inParts<Request, Response>(
  respond: (request: Request, write: (response: Response) => void) => Promise<void>,
): grpc.UntypedHandleCall {
  const handler = (call: { request: Request; write: (response: Response) => void }, end: Callback) => {
    respond(call.request, call.write).then(
      () => end(null),
      (error: unknown) => end(failureOf(error)),
    );
  };
  return handler as unknown as grpc.UntypedHandleCall;
}

export function propsOf(struct: Struct | undefined): Props {
  return struct?.toJavaScript() ?? {};
}

export function structOf(props: Readonly<Props>): Struct {
  return structProto.Struct.fromJavaScript(props as Parameters<typeof structProto.Struct.fromJavaScript>[0]);
}
