/** Serves the packaged plugin in a running process, to which the engine attaches (PULUMI_DEBUG_PROVIDERS). */
import type grpc from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { openHomeJournal } from "../../../recovery/home-journal.js";
import type { RunJournal } from "../../../recovery/run-journal.js";
import type { World } from "../dynamic.js";
import { toProps, toStruct, handleUnary } from "../grpc.js";
import type { ProviderService } from "../service.js";
import { checkConfiguration, pickOwnSettings } from "./configuration.js";
import { createPluginService } from "./service.js";

/**
 * @param schema returns the schema of the package as JSON
 * @param journal as of `createProviderService`
 */
export function createAttachedPlugin(
  world: Omit<World, "journal">,
  schema: () => string,
  journal: RunJournal = openHomeJournal(world),
): ProviderService {
  let engine: string | undefined;
  journal.engine = () => engine;
  const onEngine = (address: string): void => {
    engine = address;
  };
  const plugin = createPluginService({ ...world, journal: () => journal, schema, onEngine });
  const [definition, implementation] = plugin.service;
  const attached: grpc.UntypedServiceImplementation = {
    ...implementation,
    // A project with the name of the package has its own configuration among the settings, so unknown settings are not refused. The
    // command has already checked the known ones.
    checkConfig: handleUnary((request: proto.CheckRequest) => {
      const response = new proto.CheckResponse();
      response.setInputs(toStruct(checkConfiguration(pickOwnSettings(toProps(request.getNews())))));
      return response;
    }),
    // Operations in progress end by themselves. A second interrupt stops the command at once.
    cancel: handleUnary(() => new emptyProto.Empty()),
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
