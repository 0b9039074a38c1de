/** Serves the program, the provider and the event reader to the engine while an operation runs. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type grpc from "@grpc/grpc-js";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineProto from "@pulumi/pulumi/proto/engine_pb.js";
import eventsGrpc from "@pulumi/pulumi/proto/events_grpc_pb.js";
import type eventsProto from "@pulumi/pulumi/proto/events_pb.js";
import languageGrpc from "@pulumi/pulumi/proto/language_grpc_pb.js";
import languageProto from "@pulumi/pulumi/proto/language_pb.js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { Monitor } from "../../components/monitor.js";
import { registerAll } from "../../components/register.js";
import { DynamicService } from "../../provider/adapters/dynamic-service.js";
import { GrpcClient, handleUnary } from "../../provider/adapters/grpc.js";
import type { GrpcService } from "../../provider/adapters/grpc-server.js";
import type { ProviderEnvironment } from "../../provider/adapters/provider-run.js";
import type { ProviderService } from "../../provider/adapters/service.js";
import type { Fields, OpenArguments } from "../../provider/index.js";
import type { RunJournal } from "../../recovery/run-journal.js";
import { findLibraryRoot } from "../../toolchain/locations.js";
import { TrustError } from "../../trust/errors.js";
import { refuseConfiguration } from "../../trust/variables.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import type { EnginePort } from "./engine-port.js";
import type { FileProgram } from "./file-program.js";
import { type Attachment, createProviderEnvironment } from "./provider-environment.js";

/** @returns what ends the provider; `orderly`: the engine has exited on its own, and has written the state */
export async function attach(
  { server }: Pick<EnginePort, "server">,
  attachment: Attachment & { readonly program?: FileProgram },
): Promise<(orderly: boolean) => void> {
  const { program, begin, onEvent, journal, selection, outputs, open } = attachment;
  const events: GrpcService = [eventsGrpc.EventsService, eventsService(onEvent)];
  if (program === undefined) {
    server.respond([events]);
    return () => {};
  }
  const environment = createProviderEnvironment(program, attachment);
  const provider = await startProvider(program, environment, journal);
  const admit = (address: string) => server.peers.admitServer(address);
  const language: GrpcService = createLanguageRuntime(program, {
    ...{ admit, begin, journal, selection, outputs, open },
    urnsInState: provider.run.urnsInState,
  });
  server.respond([events, language, provider.service]);
  return (orderly) => provider.close(orderly);
}

export async function startProvider(
  { engine }: FileProgram,
  environment: ProviderEnvironment,
  journal?: RunJournal,
): Promise<ProviderService> {
  if (engine === "dynamic") return new DynamicService(environment, journal);
  const { AttachedPlugin } = await import("../../provider/adapters/plugin/service.js");
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

interface RuntimeOptions {
  /** @throws {TrustError} when another process than the engine listens at an address */
  readonly admit: (address: string) => Promise<void>;
  /** @throws {Error} when the state is not the one that was planned from */
  readonly begin?: () => Promise<void>;
  /** Receives the registration of each object. */
  readonly journal?: RunJournal | undefined;
  /** The objects to which the operation is limited. */
  readonly selection?: SelectedObjects | undefined;
  /** Outputs of the stack. */
  readonly outputs: Fields;
  readonly open?: OpenArguments | undefined;
  /** URNs of the objects that a refresh has read before the program runs. */
  readonly urnsInState?: ReadonlySet<string>;
}

/**
 * The language runtime of a workspace file: the engine asks it to run, and receives the registration of each resource. It runs once,
 * because an operation without a preview of its own asks for it once.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/language.proto
 */
export function createLanguageRuntime(program: FileProgram, options: RuntimeOptions): GrpcService {
  let hasRun = false;
  return [
    languageGrpc.LanguageRuntimeService,
    {
      getPluginInfo: handleUnary(() => new pluginProto.PluginInfo()),
      getRequiredPlugins: handleUnary(() => new languageProto.GetRequiredPluginsResponse()),
      run: handleUnary(async (request: languageProto.RunRequest) => {
        if (hasRun)
          throw new TrustError(
            "peer",
            "Pulumi asked to run the program a second time, which was refused",
            "run the command again; if it happens again, report it as a bug of workspacectl",
          );
        hasRun = true;
        for (const address of [request.getMonitorAddress(), ...request.getArgsList().slice(0, 1)])
          await options.admit(address);
        await options.begin?.();
        const response = new languageProto.RunResponse();
        try {
          const isComplete = await run(program, request, options);
          // The engine has already reported why a resource could not be registered.
          response.setBail(!isComplete);
        } catch (error) {
          await logError(request, (error as Error).message);
          response.setBail(true);
        }
        return response;
      }),
    },
  ];
}

/** @returns whether all resources were registered */
async function run(
  program: FileProgram,
  request: languageProto.RunRequest,
  { journal, selection, outputs, open, urnsInState }: RuntimeOptions,
): Promise<boolean> {
  const [project, stack] = [request.getProject(), request.getStack()];
  const values = new Map(request.getConfigMap().toArray());
  const secret = new Set(request.getConfigsecretkeysList());
  const declarations = program.declare({
    stack,
    config(key) {
      const full = key.includes(":") ? key : `${project}:${key}`;
      refuseConfiguration(full);
      const value = values.get(full);
      return value === undefined ? undefined : { value, secret: secret.has(full) };
    },
  });
  for (const { name, asWritten } of declarations) open?.add("declared", name, asWritten);
  const monitor = new Monitor(request.getMonitorAddress(), request.getDryrun(), journal);
  try {
    const root = await monitor.registerStack(project, stack, outputs);
    const isComplete = await registerAll(declarations, monitor, root, {
      engine: program.engine,
      parallel: request.getParallel(),
      selection,
      urnsInState,
    });
    if (isComplete) await monitor.end();
    return isComplete;
  } finally {
    monitor.close();
  }
}

/** Reports an error through the engine. */
async function logError(request: languageProto.RunRequest, text: string): Promise<void> {
  const [address = ""] = request.getArgsList();
  const engine = new GrpcClient(address);
  const message = new engineProto.LogRequest();
  message.setSeverity(engineProto.LogSeverity.ERROR);
  message.setMessage(text);
  await engine.call(engineGrpc.EngineService.log, message).finally(() => engine.close());
}
