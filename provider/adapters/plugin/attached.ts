/** Serves the packaged plugin in a running process, to which the engine attaches (PULUMI_DEBUG_PROVIDERS). */
import type grpc from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { openHomeJournal } from "../../../recovery/home-journal.js";
import type { RunJournal } from "../../../recovery/run-journal.js";
import type { World } from "../dynamic.js";
import { propsOf, structOf, unary } from "../grpc.js";
import type { ProviderService } from "../service.js";
import { checkedConfiguration, ownSettings } from "./configuration.js";
import { pluginService } from "./service.js";

/**
 * @param schema returns the schema of the package as JSON
 * @param journal as of `providerService`
 */
export function attachedPlugin(
  world: Omit<World, "journal">,
  schema: () => string,
  journal: RunJournal = openHomeJournal(world),
): ProviderService {
  let engine: string | undefined;
  journal.engine = () => engine;
  const onEngine = (address: string): void => {
    engine = address;
  };
  const plugin = pluginService({ ...world, journal: () => journal, schema, onEngine });
  const [definition, implementation] = plugin.service;
  const attached: grpc.UntypedServiceImplementation = {
    ...implementation,
    // A project with the name of the package has its own configuration among the settings, so unknown settings are not refused. The
    // command has already checked the known ones.
    checkConfig: unary((request: proto.CheckRequest) => {
      const response = new proto.CheckResponse();
      response.setInputs(structOf(checkedConfiguration(ownSettings(propsOf(request.getNews())))));
      return response;
    }),
    // Operations in progress end by themselves. A second interrupt stops the command at once.
    cancel: unary(() => new emptyProto.Empty()),
  };
  return {
    service: [definition, attached],
    run: plugin.run,
    close(orderly) {
      if (orderly && !journal.besideState) journal.end();
      plugin.close();
    },
  };
}
