/** gRPC on the loopback interface, as Pulumi's engine talks to its plugins. */
import grpc from "@grpc/grpc-js";
import structProto from "google-protobuf/google/protobuf/struct_pb.js";
import { failureOf } from "./failure.js";

export type Props = Record<string, unknown>;
export type Struct = structProto.Struct;

const CHANNEL = {
  /** As in Pulumi's own SDK: a state with large texts must fit. */
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  /** A proxy of the environment does not lead to this machine. */
  "grpc.enable_http_proxy": 0,
};

export interface Server {
  readonly port: number;
  /** Ends all calls. */
  readonly close: () => void;
}

export type GrpcService = readonly [grpc.ServiceDefinition, grpc.UntypedServiceImplementation];

/** Serves until it is closed; what a service defines and its implementation lacks is answered with UNIMPLEMENTED. */
export async function serve(services: readonly GrpcService[]): Promise<Server> {
  const server = new grpc.Server(CHANNEL);
  for (const [definition, implementation] of services) server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return { port, close: () => server.forceShutdown() };
}

/** Further arguments of a client of one of the engine's own services. */
export const engineChannel = [grpc.credentials.createInsecure(), CHANNEL] as const;

/** A handler of one request and one answer. */
export function unary<Request, Response>(
  answer: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    Promise.resolve()
      .then(() => answer(request))
      .then(
        (response) => callback(null, response),
        (error: unknown) => callback(failureOf(error)),
      );
  };
}

export function propsOf(struct: Struct | undefined): Props {
  return struct?.toJavaScript() ?? {};
}

export function structOf(props: Readonly<Props>): Struct {
  return structProto.Struct.fromJavaScript(props as Parameters<typeof structProto.Struct.fromJavaScript>[0]);
}
