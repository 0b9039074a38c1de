/** Measures Pulumi's engine alone, with the same resources and a provider that does nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { createLanguageRuntime } from "../../automation/host/attached.js";
import { createFileProgram } from "../../automation/host/file-program.js";
import { handleUnary } from "../../provider/adapters/grpc.js";
import { type GrpcService, serve } from "../../provider/adapters/grpc-server.js";
import type { PulumiToolchain } from "../../toolchain/index.js";
import { measure, type Measured } from "./measure.js";

/** Stack with a provider that creates nothing. The state is written once, at the end, as by workspacectl. */
export class Floor {
  private constructor(
    private readonly folder: string,
    private readonly command: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  static async create(folder: string, { command }: PulumiToolchain): Promise<Floor> {
    mkdirSync(join(folder, "state"), { recursive: true });
    writeFileSync(join(folder, "Pulumi.yaml"), "name: floor\nruntime: nodejs\n");
    const env = {
      ...process.env,
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_SKIP_CHECKPOINTS: "true",
    };
    await measure(command, ["stack", "init", "bench", "--non-interactive"], { cwd: folder, env });
    return new Floor(folder, command, env);
  }

  /** @param file workspace file whose resources are registered */
  async run(args: readonly string[], file: string): Promise<Measured> {
    const program = createFileProgram({
      file,
      project: "floor",
      engine: "dynamic",
      reading: { env: {} },
      connection: { baseUrl: "https://floor.invalid", token: "none", allowInsecure: false },
    });
    const server = await serve([
      createLanguageRuntime(program, { admit: () => Promise.resolve(), outputs: {} }),
      createIdleProvider(),
    ]);
    try {
      return await measure(
        this.command,
        [
          ...args,
          ...["--stack", "bench", "--non-interactive", `--client=127.0.0.1:${server.port}`],
          ...["--exec-kind", "auto.inline"],
        ],
        {
          cwd: this.folder,
          env: { ...this.env, PULUMI_DEBUG_PROVIDERS: `pulumi-nodejs:${server.port}` },
        },
      );
    } finally {
      server.close();
    }
  }
}

/** A provider that accepts every operation and does nothing. */
function createIdleProvider(): GrpcService {
  let last = 0;
  return [
    providerGrpc.ResourceProviderService,
    {
      attach: handleUnary(() => new emptyProto.Empty()),
      getPluginInfo: handleUnary(() => new pluginProto.PluginInfo()),
      configure: handleUnary(() => new proto.ConfigureResponse()),
      cancel: handleUnary(() => new emptyProto.Empty()),
      check: handleUnary((request: proto.CheckRequest) => {
        const response = new proto.CheckResponse();
        response.setInputs(request.getNews());
        return response;
      }),
      diff: handleUnary((request: proto.DiffRequest) => {
        const [olds, news] = [request.getOldInputs(), request.getNews()].map((one) => one?.toJavaScript());
        const response = new proto.DiffResponse();
        const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
        response.setChanges(isDeepStrictEqual(olds, news) ? DIFF_NONE : DIFF_SOME);
        return response;
      }),
      create: handleUnary((request: proto.CreateRequest) => {
        const response = new proto.CreateResponse();
        response.setId(`acme/${++last}`);
        response.setProperties(request.getProperties());
        return response;
      }),
      read: handleUnary((request: proto.ReadRequest) => {
        const response = new proto.ReadResponse();
        response.setId(request.getId());
        response.setProperties(request.getProperties());
        response.setInputs(request.getInputs());
        return response;
      }),
      update: handleUnary((request: proto.UpdateRequest) => {
        const response = new proto.UpdateResponse();
        response.setProperties(request.getNews());
        return response;
      }),
      delete: handleUnary(() => new emptyProto.Empty()),
    },
  ];
}
