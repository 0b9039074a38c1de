/** Serves the plugin before it is loaded. The engine gets its port and its first response at once. Other requests wait. */
import type grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { describeFailure, type Failure } from "../failure.js";
import { handleUnary } from "../grpc.js";
import { type GrpcService, status } from "../grpc-server.js";

/** Responds to the engine's handshake, before and after the plugin is loaded. */
export function handleHandshake(onEngine: (address: string) => void): grpc.UntypedHandleCall {
  return handleUnary((request: proto.ProviderHandshakeRequest) => {
    onEngine(request.getEngineAddress());
    const response = new proto.ProviderHandshakeResponse();
    response.setAcceptSecrets(true);
    return response;
  });
}

type Implementation = Readonly<Record<string, unknown>>;
type Done = (error: Failure | null, response?: unknown) => void;
type Handler = (call: unknown, done: Done) => void;

/** @param load loads the service on demand */
export function createEarlyService(
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
          done({
            code: status.UNIMPLEMENTED,
            details: `this plugin does not implement the method ${method}`,
          });
        },
        (error: unknown) => done(describeFailure(error)),
      );
    };
    return [method, handler];
  });
  return [definition, { ...Object.fromEntries(waiting), ...early }];
}
