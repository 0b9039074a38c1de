/** Serves the program, the provider and the event reader to the engine while an operation runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import eventsGrpc from "@pulumi/pulumi/proto/events_grpc_pb.js";
import type eventsProto from "@pulumi/pulumi/proto/events_pb.js";
import type grpc from "@grpc/grpc-js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { serve, type GrpcService } from "../../../provider/adapters/grpc.js";
import { providerPackage, type Fields, type SharedReads } from "../../../provider/index.js";
import { providerService, type ProviderService } from "../../../provider/adapters/service.js";
import { libraryRoot } from "../../toolchain/locations.js";
import { isServiceCredential } from "../../terminal/io.js";
import type { FileProgram } from "./file-program.js";
import { languageRuntime } from "./language-runtime.js";
import type { SelectedObjects } from "../plan/selection.js";
import type { RunJournal } from "../../../recovery/run-journal.js";

export interface Attached {
  /** Flags of the operation. */
  readonly flags: readonly string[];
  /** Environment of the engine. */
  readonly variables: Readonly<Record<string, string>>;
  /** Call it with the engine's process id. Until then, nobody can call. */
  started(engine: number): void;
  /** @param orderly the engine has exited on its own, and has written the state */
  close(orderly: boolean): void;
}

interface Attachment {
  /** Environment of the engine and the provider. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent for a user's program: Pulumi then starts program and providers itself. */
  readonly program?: FileProgram;
  /** The operation only plans or reads. */
  readonly dry: boolean;
  readonly onEvent: (event: EngineEvent) => void;
  /** Read cache of the command. */
  readonly reads: SharedReads;
  /** Beside the state; absent where only the user's own is possible. */
  readonly journal?: RunJournal;
  /** Makes sure that the engine still has the lock. Called before each request. */
  readonly beforeRequest: () => Promise<void> | undefined;
  /** Pulumi writes the state only when it has ended, because the journal secures it until then. */
  readonly writesStateAtEnd?: boolean;
  /** The objects to which the operation is limited. */
  readonly selection?: SelectedObjects;
  /** Outputs of the stack of a workspace file. */
  readonly outputs: Fields;
}

export async function attach({
  env,
  program,
  dry,
  onEvent,
  reads,
  journal,
  beforeRequest,
  writesStateAtEnd = false,
  selection,
  outputs,
}: Attachment): Promise<Attached> {
  let started: Attached["started"] = () => {};
  const engine = new Promise<number>((resolve) => (started = resolve));
  const print = (line: string) => onEvent(lineEvent(line));
  const options = { engine, onRefused: once(print) };
  const events: GrpcService = [eventsGrpc.EventsService, eventsService(onEvent)];
  if (program === undefined) {
    const server = await serve([events], options);
    return {
      started,
      flags: ["--event-log", `tcp://127.0.0.1:${server.port}`, "--exec-kind", "auto.local"],
      variables: env,
      close: () => server.close(),
    };
  }
  const world = {
    // Two projects of one user may declare the same workspace. The provider's journal distinguishes them by this.
    env: { ...env, PULUMI_NODEJS_PROJECT: program.project },
    print,
    reads,
    dry,
    beforeRequest,
    connection: program.connection,
    config: (key: string) => program.config(key),
    references: program.references,
  };
  const provider = await providerOf(program, world, journal);
  const admit = (address: string) => server.peers.admitServer(address);
  const language: GrpcService = languageRuntime(program, { admit, journal, selection, outputs });
  const server = await serve([events, language, provider.service], options);
  const address = `127.0.0.1:${server.port}`;
  const attachTo = `${providerPackage[program.engine]}:${server.port}`;
  return {
    started,
    flags: [`--client=${address}`, "--exec-kind", "auto.inline", "--event-log", `tcp://${address}`],
    variables: {
      ...withoutCredentials(env),
      PULUMI_DEBUG_PROVIDERS: attachTo,
      ...(writesStateAtEnd ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {}),
    },
    close(orderly) {
      server.close();
      provider.close(orderly);
    },
  };
}

async function providerOf(
  { engine }: FileProgram,
  world: Parameters<typeof providerService>[0],
  journal: RunJournal | undefined,
): Promise<ProviderService> {
  if (engine === "dynamic") return providerService(world, journal);
  const { attachedPlugin } = await import("../../../provider/adapters/plugin/attached.js");
  const schema = () => readFileSync(join(libraryRoot(), "schema", "pulumi.schema.json"), "utf8");
  return attachedPlugin(world, schema, journal);
}

/** Passes on the first text only: any user of the machine can cause further ones. */
function once(print: (text: string) => void): (text: string) => void {
  let isFirst = true;
  return (text) => {
    if (isFirst) print(text);
    isFirst = false;
  };
}

/** Removes credentials of the service: only the provider needs them, and it runs in this process. */
function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isServiceCredential(name)));
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

/** Wraps a line of the provider's like the engine's event for the output of a plugin. */
function lineEvent(message: string): EngineEvent {
  return {
    sequence: 0,
    timestamp: Math.floor(Date.now() / 1000),
    diagnosticEvent: { message, color: "never", severity: "info#err" },
  };
}
