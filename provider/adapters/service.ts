/**
 * The dynamic provider as a gRPC service. An engine attaches to it (PULUMI_DEBUG_PROVIDERS) instead of starting Pulumi's host of dynamic
 * providers. Requests and state are the same, but there is no second process, and no code from a state is executed.
 */
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import type { World } from "./dynamic.js";
import { ProviderError } from "../errors.js";
import { openHomeJournal } from "../../recovery/home-journal.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import { PROVIDER_KEY, findTypeOfProviderText } from "./provider-text.js";
import { UNKNOWN, withoutMarks } from "../../diff/values.js";
import { toProps, handleUnary, type Props } from "./grpc.js";
import type { GrpcService } from "./grpc-server.js";
import { createLifecycle, type Conventions } from "./lifecycle.js";
import { Run } from "./run.js";

/** The provider of one operation of an engine. */
export interface ProviderService {
  readonly service: GrpcService;
  readonly run: Run;
  /** @param orderly whether the engine ended by itself, so that it has saved all results */
  close(orderly: boolean): void;
}

/** Objects name their type by the provider's text. */
const dynamicConventions: Conventions = {
  typeOf(_urn, props, olds = props) {
    const text = props[PROVIDER_KEY] === UNKNOWN ? olds[PROVIDER_KEY] : props[PROVIDER_KEY];
    const type = findTypeOfProviderText(text);
    if (type !== undefined) return type;
    throw new ProviderError(
      "refused",
      "the state contains the code of another package",
      "use the program that created the stack (--program)",
    );
  },
  additional: (props) => ({ [PROVIDER_KEY]: props[PROVIDER_KEY] }),
  // Pulumi's own host drops detailed diffs, too.
  isDetailed: false,
};

/** @param journal the one next to the state. Default: the user's own, which ends with the provider. */
export function createProviderService(
  world: Omit<World, "journal">,
  journal: RunJournal = openHomeJournal(world),
): ProviderService {
  let engine: string | undefined;
  journal.engine = () => engine;
  const run = new Run(world, () => journal);
  const implementation = {
    ...createLifecycle(run, dynamicConventions),
    attach: handleUnary((request: pluginProto.PluginAttach) => {
      engine = request.getAddress();
      return new emptyProto.Empty();
    }),
    // Operations in progress end by themselves. A second interrupt stops the command at once.
    cancel: handleUnary(() => new emptyProto.Empty()),
    getPluginInfo: handleUnary(() => new pluginProto.PluginInfo()),
    configure: handleUnary((request: proto.ConfigureRequest) => {
      run.configure(withoutMarks(toProps(request.getArgs())) as Props);
      const response = new proto.ConfigureResponse();
      response.setAcceptsecrets(true);
      // Otherwise the engine treats every output of a changed object as unknown.
      response.setSupportspreview(true);
      return response;
    }),
  };
  return {
    service: [providerGrpc.ResourceProviderService, implementation],
    run,
    close(orderly) {
      if (orderly && !journal.besideState) journal.end();
      run.close();
    },
  };
}
