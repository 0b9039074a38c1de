/**
 * The provider as a gRPC service, for an engine that attaches to one that already runs (PULUMI_DEBUG_PROVIDERS). It takes the place
 * of Pulumi's host of dynamic providers: same requests, same state, but no process of its own, and no code that a state names is run.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import pluginProto from "@pulumi/pulumi/proto/plugin_pb.js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { dynamicProvider, openSession, type DynamicProvider, type World } from "./dynamic.js";
import { PartialCreation, ProviderError } from "../errors.js";
import { FileJournal } from "../recovery/file-journal.js";
import { creationUnderWay, journalFolder } from "../recovery/create-journal.js";
import { PROVIDER_KEY, typeOfProviderText } from "./provider-text.js";
import { definitionOf } from "../resources/registry.js";
import { secretNames } from "../definition/secrets/mask.js";
import type { Session } from "../connection/session.js";
import { hasSecret, UNKNOWN, withoutMarks } from "../../diff/values.js";
import { markedAs, namesOfSecrets } from "./marks.js";
import { structOf, propsOf, unary, type Props, type GrpcService, type Struct } from "./grpc.js";

/** The provider of one operation of an engine. */
export interface ProviderService {
  readonly service: GrpcService;
  /** @param orderly the engine has ended by itself, after it saved what it was told */
  close(orderly: boolean): void;
}

export function providerService(world: Omit<World, "journal">): ProviderService {
  const run = new Run(world);
  return {
    service: [providerGrpc.ResourceProviderService, handlers(run)],
    close: (orderly) => run.close(orderly),
  };
}

/** All providers of one operation: they share a session, and so what was read. */
class Run {
  engine: string | undefined;
  private session: Promise<Session> | undefined;
  private readonly journal: FileJournal;
  private readonly providers = new Map<string, DynamicProvider>();

  constructor(private readonly world: Omit<World, "journal">) {
    const { env, tell } = world;
    this.journal = new FileJournal(journalFolder(env), env, tell, () => this.engine);
  }

  /** @param config of the stack, by full key */
  configure(config: Readonly<Record<string, unknown>>): void {
    this.session ??= this.open((key) => {
      const value = config[key];
      return typeof value === "string" ? value : undefined;
    });
  }

  /** @throws {ProviderError} for an object that is not this package's */
  providerOf(props: Props, olds: Props = props): DynamicProvider {
    const text = props[PROVIDER_KEY] === UNKNOWN ? olds[PROVIDER_KEY] : props[PROVIDER_KEY];
    const type = typeOfProviderText(text);
    if (type === undefined)
      throw new ProviderError(
        "refused",
        "the state names code that is not this package's: work on the stack with the program that made it (--program)",
      );
    const known =
      this.providers.get(type) ??
      dynamicProvider(definitionOf(type), () => (this.session ??= this.open(() => undefined)), this.world);
    this.providers.set(type, known);
    return known;
  }

  close(orderly: boolean): void {
    if (orderly) this.journal.end();
    // Who stopped the engine at once does not wait for answers that nobody takes any more.
    this.session?.then((session) => session.close()).catch(() => undefined);
  }

  private open(get: (key: string) => string | undefined): Promise<Session> {
    return openSession({ ...this.world, journal: () => this.journal }, get);
  }
}

/** The arguments by which an object can be found again when its creation was interrupted. */
function findingArgs(props: Props): Props {
  const definition = definitionOf(typeOfProviderText(props[PROVIDER_KEY]) ?? "");
  const { naturalKey, references } = definition;
  const copied = Object.values(references).flatMap(({ copies = {} }) => Object.keys(copies));
  const names = new Set(["workspace", ...naturalKey, ...Object.keys(references), ...copied]);
  const secret = new Set(secretNames(definition, withoutMarks(props) as Props));
  return Object.fromEntries(
    Object.entries(props).filter(
      ([name, value]) => names.has(name) && !secret.has(name) && !hasSecret(value),
    ),
  );
}

/** Values as they go back: marked as the earlier ones are, with the text that names their provider. */
function answered(values: Props, earlier: Props): Struct {
  return structOf({ ...markedAs(values, earlier), [PROVIDER_KEY]: earlier[PROVIDER_KEY] });
}

/** @throws the error; what it says of an object that was made in part is marked */
function failed(error: unknown, inputs: Props): never {
  if (error instanceof PartialCreation) error.properties = markedAs(error.properties, inputs);
  throw error;
}

function handlers(run: Run): grpc.UntypedServiceImplementation {
  return {
    attach: unary((request: pluginProto.PluginAttach) => {
      run.engine = request.getAddress();
      return new emptyProto.Empty();
    }),
    getPluginInfo: unary(() => new pluginProto.PluginInfo()),
    configure: unary((request: proto.ConfigureRequest) => {
      run.configure(withoutMarks(propsOf(request.getArgs())) as Props);
      const response = new proto.ConfigureResponse();
      response.setAcceptsecrets(true);
      return response;
    }),
    cancel: unary(() => new emptyProto.Empty()),
    check: unary(async (request: proto.CheckRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const { inputs, failures } = await run.providerOf(news, olds).check(olds, news);
      const response = new proto.CheckResponse();
      response.setInputs(answered(inputs, news));
      response.setFailuresList(
        failures.map(({ property, reason }) => {
          const failure = new proto.CheckFailure();
          failure.setProperty(property);
          failure.setReason(reason);
          return failure;
        }),
      );
      return response;
    }),
    diff: unary(async (request: proto.DiffRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const provider = run.providerOf(news, olds);
      const { changes, replaces, deleteBeforeReplace } = await provider.diff(request.getId(), olds, news);
      const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
      const response = new proto.DiffResponse();
      response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
      response.setReplacesList(replaces);
      response.setDeletebeforereplace(deleteBeforeReplace);
      return response;
    }),
    create: unary(async (request: proto.CreateRequest) => {
      const props = propsOf(request.getProperties());
      const provider = run.providerOf(props);
      const creation = {
        urn: request.getUrn(),
        inputs: findingArgs(props),
        secrets: namesOfSecrets(props),
      };
      const { id, outs } = await creationUnderWay
        .run(creation, () => provider.create(props))
        .catch((error: unknown) => failed(error, props));
      const response = new proto.CreateResponse();
      response.setId(id);
      response.setProperties(answered(outs, props));
      return response;
    }),
    read: unary(async (request: proto.ReadRequest) => {
      const props = propsOf(request.getProperties());
      const kept = await run.providerOf(props).read(request.getId(), props);
      const response = new proto.ReadResponse();
      response.setId(kept.id);
      const inputs = { ...props, ...propsOf(request.getInputs()) };
      response.setProperties(answered(kept.props, props));
      response.setInputs(answered(kept.inputs, inputs));
      return response;
    }),
    update: unary(async (request: proto.UpdateRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const { outs } = await run
        .providerOf(news)
        .update(request.getId(), olds, news)
        .catch((error: unknown) => failed(error, news));
      const response = new proto.UpdateResponse();
      response.setProperties(answered(outs, news));
      return response;
    }),
    delete: unary(async (request: proto.DeleteRequest) => {
      const props = propsOf(request.getProperties());
      await run.providerOf(props).delete(request.getId(), props);
      return new emptyProto.Empty();
    }),
  };
}
