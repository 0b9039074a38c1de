/**
 * A provider as a gRPC service: converts the requests of an engine to operations on resources, for the dynamic providers and for the
 * packaged plugin.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { hasSecret, withoutMarks } from "../../diff/values.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { PROVIDER_KEY } from "../../resources/definition/provider-text.js";
import { listSecretNames } from "../../resources/definition/secrets/mask.js";
import { ProviderError } from "../../resources/errors.js";
import { getDefinition } from "../../resources/registry.js";
import { handleUnary, toProps, toStruct } from "./grpc.js";
import type { GrpcService } from "./grpc-server.js";
import { createPropertyDiff, listPropertyChanges } from "./property-diff.js";
import type { Run } from "./provider-run.js";
import { ResourceProvider } from "./resource-provider.js";
import { listNamesOfSecrets, type Props } from "./secret-marks.js";

export abstract class ProviderService {
  constructor(readonly run: Run) {}

  /**
   * The resource type of an object.
   * @throws {ProviderError} for an object of another package
   */
  protected abstract typeOf(urn: string, props: Props, olds?: Props): string;
  /** Arguments that the type of an object implies, so that programs do not declare them. */
  protected impliedArgs(_urn: string): Props {
    return {};
  }
  /** Whether a diff names each property that differs. */
  protected abstract readonly isDetailed: boolean;
  /** The configuration that the engine sends, by full key. */
  protected abstract configurationOf(request: proto.ConfigureRequest): Props;
  get service(): GrpcService {
    return [providerGrpc.ResourceProviderService, this.methods()];
  }

  /** @param orderly whether the engine ended by itself, so that it has saved all results */
  close(orderly: boolean): void {
    this.run.close(orderly);
  }

  /** The methods by which the engine calls the provider. */
  protected methods(): grpc.UntypedServiceImplementation {
    return {
      attach: handleUnary((request: pluginProto.PluginAttach) => {
        this.attach(request.getAddress());
        return new emptyProto.Empty();
      }),
      configure: handleUnary((request: proto.ConfigureRequest) => this.configure(request)),
      getPluginInfo: handleUnary(() => new pluginProto.PluginInfo()),
      check: handleUnary((request: proto.CheckRequest) => this.check(request)),
      diff: handleUnary((request: proto.DiffRequest) => this.diff(request)),
      create: handleUnary((request: proto.CreateRequest) => this.create(request)),
      read: handleUnary((request: proto.ReadRequest) => this.read(request)),
      update: handleUnary((request: proto.UpdateRequest) => this.update(request)),
      delete: handleUnary((request: proto.DeleteRequest) => this.delete(request)),
      cancel: handleUnary(() => {
        this.run.cancel();
        return new emptyProto.Empty();
      }),
    };
  }

  /** @param engine address of the engine that attaches to this process */
  protected attach(engine: string): void {
    this.run.engine = engine;
  }

  private async configure(request: proto.ConfigureRequest): Promise<proto.ConfigureResponse> {
    await this.run.environment.begin?.();
    const config = this.configurationOf(request);
    this.run.configure((key) => {
      const value = config[key];
      return typeof value === "string" ? value : undefined;
    });
    const response = new proto.ConfigureResponse();
    response.setAcceptsecrets(true);
    // Otherwise the engine treats every output of a changed object as unknown.
    response.setSupportspreview(true);
    return response;
  }

  /** What a preview shows of an object that is created. @throws {ProviderError} when its arguments are refused */
  async planCreation(urn: string, news: Props): Promise<{ readonly inputs: Props; readonly outputs: Props }> {
    const provider = this.providerAt(urn, news);
    const { inputs, failures } = await provider.check({}, { ...news, ...this.impliedArgs(urn) });
    const [failure] = failures;
    if (failure !== undefined)
      throw new ProviderError("refused", failure.reason, "correct the arguments of this object");
    return { inputs, outputs: provider.previewCreate(inputs) };
  }

  private async check(request: proto.CheckRequest): Promise<proto.CheckResponse> {
    const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
    const declared = { ...news, ...this.impliedArgs(request.getUrn()) };
    const { inputs, failures } = await this.providerOf(request, news, olds).check(olds, declared);
    const response = new proto.CheckResponse();
    response.setInputs(toStruct(inputs));
    response.setFailuresList(failures.map(createCheckFailure));
    return response;
  }

  private async diff(request: proto.DiffRequest): Promise<proto.DiffResponse> {
    const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
    const provider = this.providerOf(request, news, olds);
    const found = await provider.diff(request.getId(), olds, news, toProps(request.getOldInputs()));
    const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
    const response = new proto.DiffResponse();
    response.setChanges(found.changes ? DIFF_SOME : DIFF_NONE);
    response.setReplacesList(found.replaces);
    response.setDeletebeforereplace(found.deleteBeforeReplace);
    // The engine's events mask secrets: without their names, nobody could see that one changes.
    response.setDiffsList([...found.changed]);
    if (!this.isDetailed || !found.changes) return response;
    response.setHasdetaileddiff(true);
    const opened = await provider.openBoth(olds, news);
    const changed = listPropertyChanges(provider.definition, opened.olds, opened.news);
    for (const { path, kind } of changed) response.getDetaileddiffMap().set(path, createPropertyDiff(kind));
    response.setDiffsList([...new Set(changed.map(({ path }) => /^\w+/.exec(path)?.[0] ?? path))]);
    return response;
  }

  private async create(request: proto.CreateRequest): Promise<proto.CreateResponse> {
    const props = toProps(request.getProperties());
    const provider = this.providerOf(request, props);
    const response = new proto.CreateResponse();
    if (request.getPreview()) {
      response.setProperties(toStruct(provider.previewCreate(props)));
      return response;
    }
    this.run.refuseWriteInDryRun(request.getUrn());
    const { definition } = provider;
    const creation = {
      urn: request.getUrn(),
      inputs: listOpenArgs(definition, props),
      finding: listFindingArgs(definition),
      secrets: listNamesOfSecrets(props),
    };
    const create = (abandoned: AbortSignal) => provider.create(props, { ...creation, abandoned });
    const { id, outs } = await this.run.interruption.during("creation", request.getTimeout(), create);
    response.setId(id);
    response.setProperties(toStruct(outs));
    return response;
  }

  private async read(request: proto.ReadRequest): Promise<proto.ReadResponse> {
    const props = { ...toProps(request.getProperties()), ...this.impliedArgs(request.getUrn()) };
    const provider = this.providerOf(request, props);
    if (request.getProperties() !== undefined) this.run.urnsInState.add(request.getUrn());
    const read = () => provider.read(request.getId(), props, toProps(request.getInputs()));
    const found = await this.run.interruption.during("read", request.getTimeout(), read);
    const response = new proto.ReadResponse();
    response.setId(found.id);
    response.setProperties(toStruct(found.props));
    response.setInputs(toStruct(found.inputs));
    return response;
  }

  private async update(request: proto.UpdateRequest): Promise<proto.UpdateResponse> {
    const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
    const provider = this.providerOf(request, news, olds);
    const response = new proto.UpdateResponse();
    if (request.getPreview()) {
      response.setProperties(toStruct(provider.previewUpdate(olds, news)));
      return response;
    }
    this.run.refuseWriteInDryRun(request.getUrn());
    const [urn, id] = [request.getUrn(), request.getId()];
    const update = () => this.run.record({ op: "update", urn, id }, () => provider.update(id, olds, news));
    const { outs } = await this.run.interruption.during("update", request.getTimeout(), update);
    response.setProperties(toStruct(outs));
    return response;
  }

  private async delete(request: proto.DeleteRequest): Promise<emptyProto.Empty> {
    this.run.refuseWriteInDryRun(request.getUrn());
    const props = toProps(request.getProperties());
    const provider = this.providerOf(request, props);
    const [urn, id] = [request.getUrn(), request.getId()];
    const remove = () => this.run.record({ op: "delete", urn, id }, () => provider.delete(id, props));
    await this.run.interruption.during("deletion", request.getTimeout(), remove);
    return new emptyProto.Empty();
  }

  private providerOf(request: { getUrn(): string }, props: Props, olds?: Props): ResourceProvider {
    return this.providerAt(request.getUrn(), props, olds);
  }

  private providerAt(urn: string, props: Props, olds?: Props): ResourceProvider {
    return new ResourceProvider(getDefinition(this.typeOf(urn, props, olds)), this.run, urn);
  }
}

export function createCheckFailure({
  property,
  reason,
}: {
  property: string;
  reason: string;
}): proto.CheckFailure {
  const failure = new proto.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

/** The arguments without secrets. */
function listOpenArgs(definition: Definition, props: Props): Props {
  const hidden = new Set([PROVIDER_KEY, ...listSecretNames(definition, withoutMarks(props) as Fields)]);
  return Object.fromEntries(
    Object.entries(props).filter(([name, value]) => !hidden.has(name) && !hasSecret(value)),
  );
}

/** The names of the arguments by which an object is found after its creation was interrupted. */
function listFindingArgs({ naturalKey, references }: Definition): ReadonlySet<string> {
  const copied = Object.values(references).flatMap(({ copies = {} }) => Object.keys(copies));
  return new Set(["workspace", ...naturalKey, ...Object.keys(references), ...copied]);
}
