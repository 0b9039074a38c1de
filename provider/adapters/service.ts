/**
 * The dynamic provider as a gRPC service, for an engine that attaches to one that already runs (PULUMI_DEBUG_PROVIDERS). It takes the
 * place of Pulumi's host of dynamic providers: same requests, same state, but no process of its own, and no code that a state names is
 * run.
 */
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import type { World } from "./dynamic.js";
import { ProviderError } from "../errors.js";
import { FileJournal } from "../recovery/file-journal.js";
import { journalFolder } from "../recovery/create-journal.js";
import { PROVIDER_KEY, typeOfProviderText } from "./provider-text.js";
import { UNKNOWN, withoutMarks } from "../../diff/values.js";
import { propsOf, unary, type Props, type GrpcService } from "./grpc.js";
import { lifecycle, type Door } from "./lifecycle.js";
import { Run } from "./run.js";

/** The provider of one operation of an engine. */
export interface ProviderService {
  readonly service: GrpcService;
  /** @param orderly the engine has ended by itself, after it saved what it was told */
  close(orderly: boolean): void;
}

/** Objects name their type by the text that stands in the place of code. */
const dynamicDoor: Door = {
  typeOf(_urn, props, olds = props) {
    const text = props[PROVIDER_KEY] === UNKNOWN ? olds[PROVIDER_KEY] : props[PROVIDER_KEY];
    const type = typeOfProviderText(text);
    if (type !== undefined) return type;
    throw new ProviderError(
      "refused",
      "the state names code that is not this package's: work on the stack with the program that made it (--program)",
    );
  },
  carried: (props) => ({ [PROVIDER_KEY]: props[PROVIDER_KEY] }),
  // As Pulumi's host does, which drops what it is told of single properties.
  isDetailed: false,
};

export function providerService(world: Omit<World, "journal">): ProviderService {
  const { env, tell } = world;
  let engine: string | undefined;
  const journal = new FileJournal(journalFolder(env), env, tell, () => engine);
  const run = new Run(world, () => journal);
  const implementation = {
    ...lifecycle(run, dynamicDoor),
    attach: unary((request: pluginProto.PluginAttach) => {
      engine = request.getAddress();
      return new emptyProto.Empty();
    }),
    // What is under way ends by itself: whoever interrupts the command has a way to stop it at once.
    cancel: unary(() => new emptyProto.Empty()),
    getPluginInfo: unary(() => new pluginProto.PluginInfo()),
    configure: unary((request: proto.ConfigureRequest) => {
      run.configure(withoutMarks(propsOf(request.getArgs())) as Props);
      const response = new proto.ConfigureResponse();
      response.setAcceptsecrets(true);
      return response;
    }),
  };
  return {
    service: [providerGrpc.ResourceProviderService, implementation],
    close(orderly) {
      if (orderly) journal.end();
      run.close();
    },
  };
}
