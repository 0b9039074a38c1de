/**
 * The packaged plugin. It has the methods of the dynamic providers, and also a schema, its own configuration, imports, lists and
 * functions.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { VERSION } from "../../../client/version.js";
import { hasUnknown, isSameValue, withoutMarks } from "../../../diff/values.js";
import type { RunJournal } from "../../../recovery/run-journal.js";
import { ProviderError } from "../../../resources/errors.js";
import { findPackageType, type PackageType } from "../../../resources/package-types.js";
import { definitions } from "../../../resources/registry.js";
import { handleStream, handleUnary, toProps, toStruct } from "../grpc.js";
import { createPropertyDiff } from "../property-diff.js";
import { AttachedRun, type ProviderEnvironment, type Run } from "../provider-run.js";
import type { Props } from "../secret-marks.js";
import { createCheckFailure, ProviderService } from "../service.js";
import {
  asStackConfiguration,
  checkConfiguration,
  listConfigurationProblems,
  pickOwnSettings,
} from "./configuration.js";
import { handleHandshake } from "./early-server.js";
import { invoke } from "./invoke.js";
import { listPage } from "./list.js";

const TOKEN = /^workspace-automation:index(?:\/\w+)?:(\w+)$/;

/** Registers a component and its resources with the engine. */
export type Construct = (request: proto.ConstructRequest, run: Run) => Promise<proto.ConstructResponse>;

export class PluginService extends ProviderService {
  protected readonly isDetailed = true;

  /**
   * @param schema returns the schema of the package as JSON
   * @param onEngine receives the engine's address
   * @param construct creates a component; absent where a workspace file is the program
   */
  constructor(
    run: Run,
    private readonly schema: () => string,
    private readonly onEngine: (address: string) => void,
    private readonly construct?: Construct,
  ) {
    super(run);
  }

  protected typeOf(urn: string): string {
    return parseToken(parseUrnToken(urn)).definition.type;
  }

  protected override impliedArgs(urn: string): Props {
    return parseToken(parseUrnToken(urn)).implied;
  }

  protected configurationOf(request: proto.ConfigureRequest): Props {
    return asStackConfiguration(toProps(request.getArgs()));
  }

  protected override attach(engine: string): void {
    this.onEngine(engine);
  }

  protected override methods(): grpc.UntypedServiceImplementation {
    return {
      ...super.methods(),
      handshake: handleHandshake(this.onEngine),
      getPluginInfo: handleUnary(() => {
        const info = new pluginProto.PluginInfo();
        info.setVersion(VERSION);
        return info;
      }),
      getSchema: handleUnary((request: proto.GetSchemaRequest) => this.getSchema(request)),
      checkConfig: handleUnary((request: proto.CheckRequest) => this.checkConfig(toProps(request.getNews()))),
      diffConfig: handleUnary(diffConfig),
      invoke: handleUnary((request: proto.InvokeRequest) => this.invoke(request)),
      ...(this.construct && { construct: handleUnary(this.constructComponent) }),
      list: handleStream((request: proto.ListRequest, write: WriteList) => this.list(request, write)),
      getMapping: handleUnary(() => new proto.GetMappingResponse()),
      getMappings: handleUnary(() => new proto.GetMappingsResponse()),
    };
  }

  private readonly constructComponent = async (request: proto.ConstructRequest) =>
    (this.construct as Construct)(request, this.run);

  protected checkConfig(news: Props): proto.CheckResponse {
    const response = new proto.CheckResponse();
    response.setInputs(toStruct(checkConfiguration(news)));
    const problems = listConfigurationProblems(news);
    response.setFailuresList(problems.map((reason) => createCheckFailure({ property: "", reason })));
    return response;
  }

  private getSchema(request: proto.GetSchemaRequest): proto.GetSchemaResponse {
    const version = request.getVersion();
    if (version !== 0)
      throw new ProviderError(
        "refused",
        `the plugin has no schema of version ${version}`,
        "update the Pulumi CLI, which asks for version 0",
      );
    const response = new proto.GetSchemaResponse();
    response.setSchema(this.schema());
    return response;
  }

  private async invoke(request: proto.InvokeRequest): Promise<proto.InvokeResponse> {
    const args = toProps(request.getArgs());
    const { returned, failures } = await this.run.interruption.during("function", 0, async () =>
      invoke(request.getTok(), args, await this.run.openSession()),
    );
    const response = new proto.InvokeResponse();
    response.setReturn(toStruct(returned));
    response.setFailuresList(failures.map((reason) => createCheckFailure({ property: "", reason })));
    return response;
  }

  private async list(request: proto.ListRequest, write: WriteList): Promise<void> {
    const query = toProps(request.getQuery());
    if (hasUnknown(withoutMarks(query))) {
      const response = new proto.ListResponse();
      response.setComputed(new proto.ListResponse.Computed());
      return write(response);
    }
    const { definition } = parseToken(request.getToken());
    return listPage(definition, await this.run.openSession(), request, query, write);
  }
}

type WriteList = (response: proto.ListResponse) => void;

/** The plugin in a running process, to which an engine attaches (PULUMI_DEBUG_PROVIDERS). */
export class AttachedPlugin extends PluginService {
  /**
   * @param schema as of `PluginService`
   * @param journal the one next to the state
   */
  constructor(environment: ProviderEnvironment, schema: () => string, journal?: RunJournal) {
    const run = new AttachedRun(environment, journal);
    super(run, schema, (address) => (run.engine = address));
  }

  /**
   * A project with the name of the package has its own configuration among the settings, so unknown settings are not refused. The command
   * has already checked the known ones.
   */
  protected override checkConfig(news: Props): proto.CheckResponse {
    const response = new proto.CheckResponse();
    response.setInputs(toStruct(checkConfiguration(pickOwnSettings(news))));
    return response;
  }
}

/** A change of the connection replaces nothing. Each object refuses a connection to another workspace. */
function diffConfig(request: proto.DiffRequest): proto.DiffResponse {
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
}

/** @throws {ProviderError} for a type that the package does not have */
function parseToken(token: string): PackageType {
  const type = findPackageType(TOKEN.exec(token)?.[1] ?? "");
  if (type !== undefined) return type;
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
