/** Serves the plugin before it is loaded: the engine gets its port and its first answer at once, and other requests wait. */
import type grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { failureOf, type Failure } from "../failure.js";
import { status, unary, type GrpcService } from "../grpc.js";

/** What the plugin takes; the same in each of its answers. */
export function handshake(onEngine: (address: string) => void): grpc.UntypedHandleCall {
  return unary((request: proto.ProviderHandshakeRequest) => {
    onEngine(request.getEngineAddress());
    const response = new proto.ProviderHandshakeResponse();
    response.setAcceptSecrets(true);
    return response;
  });
}

type Implementation = Readonly<Record<string, unknown>>;
type Done = (error: Failure | null, response?: unknown) => void;
type Handler = (call: unknown, done: Done) => void;

/** @param load the service, once it is needed */
export function earlyService(
  load: () => Promise<Implementation>,
  early: grpc.UntypedServiceImplementation,
): GrpcService {
  const definition = providerGrpc.ResourceProviderService as unknown as grpc.ServiceDefinition;
  const waiting = Object.keys(definition).map((method): [string, grpc.UntypedHandleCall] => {
    const handler: Handler = (call, done) => {
      load().then(
        (implementation) => {
          const handle = implementation[method] as Handler | undefined;
          if (handle !== undefined) return handle(call, done);
          done({ code: status.UNIMPLEMENTED, details: `this plugin has no method ${method}` });
        },
        (error: unknown) => done(failureOf(error)),
      );
    };
    return [method, handler];
  });
  return [definition, { ...Object.fromEntries(waiting), ...early }];
}
