/** The packaged plugin as a service of a process that runs already, for an engine that attaches to it (PULUMI_DEBUG_PROVIDERS). */
import type grpc from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { journalFolder } from "../../recovery/create-journal.js";
import { FileJournal } from "../../recovery/file-journal.js";
import type { World } from "../dynamic.js";
import { propsOf, structOf, unary } from "../grpc.js";
import type { ProviderService } from "../service.js";
import { checkedConfiguration, ownSettings } from "./configuration.js";
import { pluginService } from "./service.js";

/** @param schema the schema of the package, as a JSON text */
export function attachedPlugin(world: Omit<World, "journal">, schema: () => string): ProviderService {
  const { env, print } = world;
  let engine: string | undefined;
  const journal = new FileJournal(journalFolder(env), env, print, () => engine);
  const onEngine = (address: string): void => {
    engine = address;
  };
  const plugin = pluginService({ ...world, journal: () => journal, schema, onEngine });
  const [definition, implementation] = plugin.service;
  const attached: grpc.UntypedServiceImplementation = {
    ...implementation,
    // The configuration of a project that is named like the package stands among the settings. The command has checked these.
    checkConfig: unary((request: proto.CheckRequest) => {
      const response = new proto.CheckResponse();
      response.setInputs(structOf(checkedConfiguration(ownSettings(propsOf(request.getNews())))));
      return response;
    }),
    // What is under way ends by itself: whoever interrupts the command has a way to stop it at once.
    cancel: unary(() => new emptyProto.Empty()),
  };
  return {
    service: [definition, attached],
    close(orderly) {
      if (orderly) journal.end();
      plugin.close();
    },
  };
}
