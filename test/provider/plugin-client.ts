/** Calls the packaged plugin over gRPC as an engine does, with the methods of the dynamic provider. */
import grpc from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { toProps, toStruct } from "../../provider/adapters/grpc.js";
import { serve } from "../../provider/adapters/grpc-server.js";
import { PluginService } from "../../provider/adapters/plugin/service.js";
import { Run } from "../../provider/adapters/provider-run.js";
import { type Journal, noJournal } from "../../recovery/journal.js";

type Props = Record<string, unknown>;
type Done<R> = (error: grpc.ServiceError | null, response: R) => void;

export interface PluginOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly journal?: Journal;
  readonly print?: (line: string) => void;
}

/** Serves the plugin on a new port. */
export async function startPlugin({ env = {}, journal = noJournal, print = () => {} }: PluginOptions = {}) {
  const run = new Run({ env, print }, () => journal);
  const plugin = new PluginService(
    run,
    () => "{}",
    () => undefined,
  );
  const server = await serve([plugin.service]);
  const client = new providerGrpc.ResourceProviderClient(
    `127.0.0.1:${server.port}`,
    grpc.credentials.createInsecure(),
  );
  return new PluginClient(client, () => {
    client.close();
    server.close();
    plugin.close(false);
  });
}

export class PluginClient {
  constructor(
    readonly grpc: providerGrpc.ResourceProviderClient,
    readonly close: () => void,
  ) {}

  async configure(config: Props): Promise<proto.ConfigureResponse> {
    const request = new proto.ConfigureRequest();
    request.setArgs(toStruct(config));
    return answer<proto.ConfigureResponse>((done) => this.grpc.configure(request, done));
  }

  async check(type: string, olds: Props, news: Props) {
    const request = new proto.CheckRequest();
    request.setUrn(urn(type));
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const response = await answer<proto.CheckResponse>((done) => this.grpc.check(request, done));
    return {
      inputs: toProps(response.getInputs()),
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  }

  async diff(type: string, id: string, olds: Props, news: Props) {
    const request = new proto.DiffRequest();
    request.setUrn(urn(type));
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    const response = await answer<proto.DiffResponse>((done) => this.grpc.diff(request, done));
    const { detaileddiffMap: detailed } = response.toObject();
    return {
      changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      detailed: Object.fromEntries(detailed.map(([path, { kind }]) => [path, kindName(kind)])),
    };
  }

  async create(type: string, inputs: Props, { preview = false, timeout = 0 } = {}) {
    const request = new proto.CreateRequest();
    request.setUrn(urn(type));
    request.setProperties(toStruct(inputs));
    request.setPreview(preview);
    request.setTimeout(timeout);
    const response = await answer<proto.CreateResponse>((done) => this.grpc.create(request, done));
    return { id: response.getId(), outs: toProps(response.getProperties()) };
  }

  async read(type: string, id: string, props: Props = {}) {
    const request = new proto.ReadRequest();
    request.setUrn(urn(type));
    request.setId(id);
    request.setProperties(toStruct(props));
    const response = await answer<proto.ReadResponse>((done) => this.grpc.read(request, done));
    return {
      id: response.getId(),
      props: toProps(response.getProperties()),
      inputs: toProps(response.getInputs()),
    };
  }

  async update(type: string, id: string, olds: Props, news: Props, { preview = false, timeout = 0 } = {}) {
    const request = new proto.UpdateRequest();
    request.setUrn(urn(type));
    request.setId(id);
    request.setOlds(toStruct(olds));
    request.setNews(toStruct(news));
    request.setPreview(preview);
    request.setTimeout(timeout);
    const response = await answer<proto.UpdateResponse>((done) => this.grpc.update(request, done));
    return { outs: toProps(response.getProperties()) };
  }

  async delete(type: string, id: string, props: Props): Promise<void> {
    const request = new proto.DeleteRequest();
    request.setUrn(urn(type));
    request.setId(id);
    request.setProperties(toStruct(props));
    await answer<unknown>((done) => this.grpc.delete(request, done));
  }

  async invoke(name: string, args: Props = {}) {
    const request = new proto.InvokeRequest();
    request.setTok(`workspace-automation:index:${name}`);
    request.setArgs(toStruct(args));
    const response = await answer<proto.InvokeResponse>((done) => this.grpc.invoke(request, done));
    return {
      returned: toProps(response.getReturn()),
      failures: response.getFailuresList().map((failure) => failure.getReason()),
    };
  }

  async list(type: string, query: Props = {}, page: { size?: number; limit?: number; token?: string } = {}) {
    const request = new proto.ListRequest();
    request.setToken(`workspace-automation:index:${type}`);
    request.setQuery(toStruct(query));
    request.setPageSize(page.size ?? 0);
    request.setLimit(page.limit ?? 0);
    request.setContinuationToken(page.token ?? "");
    const items: { id: string; name: string }[] = [];
    let next: string | undefined;
    let isComputed = false;
    for await (const part of this.grpc.list(request)) {
      const response = part as proto.ListResponse;
      const result = response.getResult();
      if (result) items.push({ id: result.getId(), name: result.getName() });
      next ??= response.getContinuation()?.getContinuationToken();
      isComputed ||= response.hasComputed();
    }
    return { items, next, isComputed };
  }
}

export function urn(type: string): string {
  return `urn:pulumi:test::test::workspace-automation:index:${type}::example`;
}

/** @throws {Error} with the message as the engine shows it */
export function answer<R>(call: (done: Done<R>) => unknown): Promise<R> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error === null) return resolve(response);
      error.message = error.details;
      reject(error);
    });
  });
}

function kindName(kind: proto.PropertyDiff.Kind): string {
  const found = Object.entries(proto.PropertyDiff.Kind).find(([, value]) => value === kind);
  return found?.[0] ?? String(kind);
}
