/**
 * The packaged plugin. It has the lifecycle of the dynamic provider, and also a schema, its own configuration, imports, lists and
 * functions.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { VERSION } from "../../../client/version.js";
import { asSecret, hasUnknown, isSameValue, withoutMarks } from "../../../diff/values.js";
import { maskArgs } from "../../definition/secrets/mask.js";
import { findById } from "../../discovery/import-by-id.js";
import { ProviderError } from "../../errors.js";
import type { Journal } from "../../../recovery/journal.js";
import { getDefinition, definitions } from "../../resources/registry.js";
import type { World } from "../dynamic.js";
import { handleStream, toProps, toStruct, handleUnary, type Props } from "../grpc.js";
import type { GrpcService } from "../grpc-server.js";
import { checkFailure, createLifecycle, type Conventions } from "../lifecycle.js";
import { createPropertyDiff } from "../property-diff.js";
import { Run } from "../run.js";
import { asStackConfiguration, checkConfiguration, listConfigurationProblems } from "./configuration.js";
import { handleHandshake } from "./early.js";
import { invoke } from "./invoke.js";
import { listPage } from "./list.js";

const TOKEN = /^workspace-automation:index(?:\/\w+)?:(\w+)$/;

/** The environment of the plugin. */
export interface PluginWorld extends Omit<World, "journal"> {
  readonly journal: () => Journal;
  /** Returns the schema of the package as JSON. */
  readonly schema: () => string;
  /** Receives the engine's address. */
  readonly onEngine: (address: string) => void;
}

export interface Plugin {
  readonly service: GrpcService;
  readonly run: Run;
  close(): void;
}

export function createPluginService(world: PluginWorld): Plugin {
  const run = new Run(world, world.journal);
  return {
    service: [providerGrpc.ResourceProviderService, implementService(run, world)],
    run,
    close: () => run.close(),
  };
}

/** @throws {ProviderError} for a type that the package does not have */
function parseToken(token: string): string {
  const type = TOKEN.exec(token)?.[1];
  if (type !== undefined && definitions.some((definition) => definition.type === type)) return type;
  const types = definitions.map((definition) => definition.type).join(", ");
  throw new ProviderError(
    "refused",
    `workspace-automation ${VERSION} has no type "${token}"`,
    `its types are ${types}, each as workspace-automation:index:<type>`,
  );
}

/** `urn:pulumi:stack::project::parent$type::name` → `type` */
function parseUrnToken(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

function getConventions(run: Run): Conventions {
  return {
    typeOf: (urn) => parseToken(parseUrnToken(urn)),
    additional: () => ({}),
    isDetailed: true,
    async importById(type, id) {
      const definition = getDefinition(type);
      const found = await findById(definition, await run.session(), id);
      if (found === undefined) return undefined;
      const marked = (values: Props) => maskArgs(definition, values, asSecret);
      return { id: found.id, props: marked(found.outs), inputs: marked(found.args) };
    },
  };
}

function implementService(run: Run, world: PluginWorld): grpc.UntypedServiceImplementation {
  return {
    ...createLifecycle(run, getConventions(run)),

    handshake: handleHandshake(world.onEngine),
    attach: handleUnary((request: pluginProto.PluginAttach) => {
      world.onEngine(request.getAddress());
      return new emptyProto.Empty();
    }),
    getPluginInfo: handleUnary(() => {
      const info = new pluginProto.PluginInfo();
      info.setVersion(VERSION);
      return info;
    }),
    getSchema: handleUnary((request: proto.GetSchemaRequest) => {
      if (request.getVersion() !== 0)
        throw new ProviderError(
          "refused",
          `there is no schema of version ${request.getVersion()}`,
          "ask for version 0",
        );
      const response = new proto.GetSchemaResponse();
      response.setSchema(world.schema());
      return response;
    }),

    checkConfig: handleUnary((request: proto.CheckRequest) => {
      const news = toProps(request.getNews());
      const response = new proto.CheckResponse();
      response.setInputs(toStruct(checkConfiguration(news)));
      const problems = listConfigurationProblems(news);
      response.setFailuresList(problems.map((reason) => checkFailure({ property: "", reason })));
      return response;
    }),
    // A change of the connection replaces nothing. Each object refuses a connection to another workspace.
    diffConfig: handleUnary((request: proto.DiffRequest) => {
      const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())].map(
        (props) => withoutMarks(props) as Props,
      ) as [Props, Props];
      const names = new Set([...Object.keys(olds), ...Object.keys(news)]);
      const changed = [...names].filter((name) => !isSameValue(olds[name], news[name]));
      const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
      const response = new proto.DiffResponse();
      response.setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE);
      response.setDiffsList(changed);
      response.setHasdetaileddiff(true);
      const { UPDATE } = proto.PropertyDiff.Kind;
      for (const name of changed) response.getDetaileddiffMap().set(name, createPropertyDiff(UPDATE));
      return response;
    }),
    configure: handleUnary((request: proto.ConfigureRequest) => {
      run.configure(asStackConfiguration(toProps(request.getArgs())));
      const response = new proto.ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      return response;
    }),

    invoke: handleUnary(async (request: proto.InvokeRequest) => {
      const args = toProps(request.getArgs());
      const { returned, failures } = await run.interruption.during("function", 0, async () =>
        invoke(request.getTok(), args, await run.session()),
      );
      const response = new proto.InvokeResponse();
      response.setReturn(toStruct(returned));
      response.setFailuresList(failures.map((reason) => checkFailure({ property: "", reason })));
      return response;
    }),
    list: handleStream(async (request: proto.ListRequest, write: (response: proto.ListResponse) => void) => {
      const query = toProps(request.getQuery());
      if (hasUnknown(withoutMarks(query))) {
        const response = new proto.ListResponse();
        response.setComputed(new proto.ListResponse.Computed());
        return write(response);
      }
      const type = parseToken(request.getToken());
      return listPage(getDefinition(type), await run.session(), request, query, write);
    }),

    getMapping: handleUnary(() => new proto.GetMappingResponse()),
    getMappings: handleUnary(() => new proto.GetMappingsResponse()),
  };
}
