/**
 * Implements the language runtime of a workspace file. The engine asks it to run, and receives the registration of each
 * resource.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/language.proto
 */
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineProto from "@pulumi/pulumi/proto/engine_pb.js";
import languageGrpc from "@pulumi/pulumi/proto/language_grpc_pb.js";
import languageProto from "@pulumi/pulumi/proto/language_pb.js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import { refuseConfiguration } from "../../../trust/variables.js";
import { GrpcClient, handleUnary } from "../../../provider/adapters/grpc.js";
import type { GrpcService } from "../../../provider/adapters/grpc-server.js";
import { TrustError } from "../../../trust/errors.js";
import type { Fields } from "../../../provider/index.js";
import type { FileProgram } from "./file-program.js";
import { Monitor } from "../../../components/monitor.js";
import { registerAll } from "../../../components/register.js";
import type { SelectedObjects } from "../plan/selected-objects.js";
import type { RunJournal } from "../../../recovery/run-journal.js";

export interface RuntimeOptions {
  /** @throws {TrustError} when another process than the engine listens at an address */
  readonly admit: (address: string) => Promise<void>;
  /** Receives the registration of each object. */
  readonly journal?: RunJournal | undefined;
  /** The objects to which the operation is limited. */
  readonly selection?: SelectedObjects | undefined;
  /** Outputs of the stack. */
  readonly outputs: Fields;
}

/** The program of one operation. It runs once, because an operation without a preview of its own asks for it once. */
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
            "the program of this operation has already run",
            "report this as a bug",
          );
        hasRun = true;
        for (const address of [request.getMonitorAddress(), ...request.getArgsList().slice(0, 1)])
          await options.admit(address);
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
  { journal, selection, outputs }: RuntimeOptions,
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
  const monitor = new Monitor(request.getMonitorAddress(), request.getDryrun(), journal);
  try {
    const root = await monitor.registerStack(project, stack, outputs);
    const isComplete = await registerAll(declarations, monitor, root, {
      engine: program.engine,
      parallel: request.getParallel(),
      selection,
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
