/** A gRPC client for services of Pulumi's engine, and handlers for the server. */
import http2, { type IncomingHttpHeaders } from "node:http2";
import type grpc from "@grpc/grpc-js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import { describeFailure } from "./failure.js";
import { CONTENT, frameMessage, onMessages, OPTIONS, type Respond, status, WINDOW } from "./grpc-server.js";
import type { Props } from "./secret-marks.js";

export type Struct = structProto.Struct;

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
      const refuse = () => stream.destroy(new Error("the response is compressed"));
      onMessages(stream, (received) => (message = received), refuse);
      stream.on("close", () => {
        const code = Number(latest["grpc-status"] ?? status.UNAVAILABLE);
        if (code === status.OK && message) resolve(responseDeserialize(message));
        else reject(new GrpcError(code, decodeURIComponent(String(latest["grpc-message"] ?? failure))));
      });
      stream.end(frameMessage(requestSerialize(request)));
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

/** A handler of one request with one response. */
export function handleUnary<Request, Response>(
  respond: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    Promise.resolve()
      .then(() => respond(request))
      .then(
        (response) => callback(null, response),
        (error: unknown) => (callback as Respond)(describeFailure(error)),
      );
  };
}

/** A handler of one request with a response in parts. Each part is sent as soon as it is written. */
export function handleStream<Request, Response>(
  respond: (request: Request, write: (response: Response) => void) => Promise<void>,
): grpc.UntypedHandleCall {
  const handler = (call: { request: Request; write: (response: Response) => void }, end: Respond) => {
    respond(call.request, call.write).then(
      () => end(null),
      (error: unknown) => end(describeFailure(error)),
    );
  };
  return handler as unknown as grpc.UntypedHandleCall;
}

export function toProps(struct: Struct | undefined): Props {
  return struct?.toJavaScript() ?? {};
}

export function toStruct(props: Readonly<Props>): Struct {
  return structProto.Struct.fromJavaScript(props as Parameters<typeof structProto.Struct.fromJavaScript>[0]);
}
