/** Serves the program, the provider and the event reader to the engine while an operation runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import eventsGrpc from "@pulumi/pulumi/proto/events_grpc_pb.js";
import type eventsProto from "@pulumi/pulumi/proto/events_pb.js";
import type grpc from "@grpc/grpc-js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import type { Permit } from "../../../client/index.js";
import type { GrpcService } from "../../../provider/adapters/grpc-server.js";
import type { Fields, SharedReadCache } from "../../../provider/index.js";
import { DynamicService } from "../../../provider/adapters/dynamic-service.js";
import type { ProviderEnvironment } from "../../../provider/adapters/run.js";
import type { ProviderService } from "../../../provider/adapters/service.js";
import { findLibraryRoot } from "../../toolchain/locations.js";
import { createLineEvent, type EnginePort } from "./engine-port.js";
import type { FileProgram } from "./file-program.js";
import { createLanguageRuntime } from "./language-runtime.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import type { RunJournal } from "../../../recovery/run-journal.js";

interface Attachment {
  /** Environment of the engine and the provider. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent for a user's program. */
  readonly program?: FileProgram;
  /** The operation only plans or reads. */
  readonly dry: boolean;
  readonly onEvent: (event: EngineEvent) => void;
  /** Read cache of the command. */
  readonly reads: SharedReadCache;
  /** Next to the state; absent where only the user's own is possible. */
  readonly journal?: RunJournal;
  /** The engine still has the lock. */
  readonly permit: Permit;
  /** The objects to which the operation is limited. */
  readonly selection?: SelectedObjects;
  /** Outputs of the stack of a workspace file. */
  readonly outputs: Fields;
}

/** @returns what ends the provider; `orderly`: the engine has exited on its own, and has written the state */
export async function attach(
  { server }: Pick<EnginePort, "server">,
  { env, program, dry, onEvent, reads, journal, permit, selection, outputs }: Attachment,
): Promise<(orderly: boolean) => void> {
  const events: GrpcService = [eventsGrpc.EventsService, eventsService(onEvent)];
  if (program === undefined) {
    server.respond([events]);
    return () => {};
  }
  const environment: ProviderEnvironment = {
    // Two projects of one user may declare the same workspace. The provider's journal distinguishes them by this.
    env: { ...env, PULUMI_NODEJS_PROJECT: program.project },
    print: (line: string) => onEvent(createLineEvent(line)),
    reads,
    dry,
    permit,
    connection: program.connection,
    config: (key: string) => program.config(key),
    references: program.references,
  };
  const provider = await startProvider(program, environment, journal);
  const admit = (address: string) => server.peers.admitServer(address);
  const language: GrpcService = createLanguageRuntime(program, { admit, journal, selection, outputs });
  server.respond([events, language, provider.service]);
  return (orderly) => provider.close(orderly);
}

async function startProvider(
  { engine }: FileProgram,
  environment: ProviderEnvironment,
  journal: RunJournal | undefined,
): Promise<ProviderService> {
  if (engine === "dynamic") return new DynamicService(environment, journal);
  const { AttachedPlugin } = await import("../../../provider/adapters/plugin/service.js");
  const schema = () => readFileSync(join(findLibraryRoot(), "schema", "pulumi.schema.json"), "utf8");
  return new AttachedPlugin(environment, schema, journal);
}

/** The engine sends each of its events as a JSON text. */
function eventsService(onEvent: (event: EngineEvent) => void): grpc.UntypedServiceImplementation {
  const streamEvents: grpc.handleClientStreamingCall<eventsProto.EventRequest, emptyProto.Empty> = (
    call,
    callback,
  ) => {
    call.on("data", (request: eventsProto.EventRequest) =>
      onEvent(JSON.parse(request.getEvent()) as EngineEvent),
    );
    call.on("end", () => callback(null, new emptyProto.Empty()));
  };
  return { streamEvents };
}
