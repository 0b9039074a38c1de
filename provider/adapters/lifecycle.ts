/**
 * The life of a resource as the methods of a gRPC provider. The two doors to it differ in how a request says of which type an object
 * is, in what an object's values carry besides, and in how much of a change the engine is told.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { PartialCreation } from "../errors.js";
import { creationUnderWay } from "../recovery/create-journal.js";
import { definitionOf } from "../resources/registry.js";
import { secretNames } from "../definition/secrets/mask.js";
import type { Fields } from "../definition/definition.js";
import { hasSecret, withoutMarks } from "../../diff/values.js";
import { structOf, propsOf, unary, type Props, type Struct } from "./grpc.js";
import { markedAs, namesOfSecrets } from "./marks.js";
import { previewedCreation, previewedUpdate } from "./preview.js";
import { propertyChanges, propertyDiff } from "./property-diff.js";
import type { Run } from "./run.js";

export interface Door {
  /**
   * The resource type of an object.
   * @throws {ProviderError} for an object that is not this package's
   */
  typeOf(urn: string, props: Props, olds?: Props): string;
  /** What every object's values carry besides its arguments and outputs. */
  carried(props: Props): Props;
  /** The engine shows each property that differs. */
  readonly isDetailed: boolean;
  /** The state of an object that the state does not hold yet; absent where none can be imported. */
  readonly importById?: (type: string, id: string) => Promise<Imported | undefined>;
}

export interface Imported {
  readonly id: string;
  readonly props: Props;
  readonly inputs: Props;
}

export function lifecycle(run: Run, door: Door): grpc.UntypedServiceImplementation {
  const { interruption } = run;
  /** Values as they go back: marked as the earlier ones are. */
  const answered = (values: Props, earlier: Props): Struct =>
    structOf({ ...markedAs(values, earlier), ...door.carried(earlier) });
  const bare = (props: Props) => withoutMarks(props) as Fields;

  return {
    check: unary(async (request: proto.CheckRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const provider = run.providerOf(door.typeOf(request.getUrn(), news, olds));
      const { inputs, failures } = await provider.check(olds, news);
      const response = new proto.CheckResponse();
      response.setInputs(answered(inputs, news));
      response.setFailuresList(failures.map(checkFailure));
      return response;
    }),

    diff: unary(async (request: proto.DiffRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const type = door.typeOf(request.getUrn(), news, olds);
      const { changes, replaces, deleteBeforeReplace } = await run
        .providerOf(type)
        .diff(request.getId(), olds, news);
      const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
      const response = new proto.DiffResponse();
      response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
      response.setReplacesList(replaces);
      response.setDeletebeforereplace(deleteBeforeReplace);
      if (!door.isDetailed || !changes) return response;
      response.setHasdetaileddiff(true);
      const changed = propertyChanges(definitionOf(type), bare(olds), bare(news));
      for (const { path, kind } of changed) response.getDetaileddiffMap().set(path, propertyDiff(kind));
      response.setDiffsList([...new Set(changed.map(({ path }) => /^\w+/.exec(path)?.[0] ?? path))]);
      return response;
    }),

    create: unary(async (request: proto.CreateRequest) => {
      const props = propsOf(request.getProperties());
      const type = door.typeOf(request.getUrn(), props);
      const response = new proto.CreateResponse();
      if (request.getPreview()) {
        response.setProperties(answered(previewedCreation(definitionOf(type), bare(props)), props));
        return response;
      }
      const creation = {
        urn: request.getUrn(),
        inputs: findingArgs(type, props),
        secrets: namesOfSecrets(props),
      };
      const create = () => creationUnderWay.run(creation, () => run.providerOf(type).create(props));
      const { id, outs } = await interruption
        .during("creation", request.getTimeout(), create)
        .catch((error: unknown) => failed(error, props));
      response.setId(id);
      response.setProperties(answered(outs, props));
      return response;
    }),

    read: unary(async (request: proto.ReadRequest) => {
      const props = propsOf(request.getProperties());
      const inputs = { ...props, ...propsOf(request.getInputs()) };
      const isKnown = Object.keys(props).length > 0;
      const type = door.typeOf(request.getUrn(), props);
      const id = request.getId();
      const read = () =>
        isKnown || door.importById === undefined
          ? run.providerOf(type).read(id, props)
          : door.importById(type, id);
      const found = await interruption.during("read", request.getTimeout(), async () => read());
      const response = new proto.ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(answered(found.props, props));
      response.setInputs(answered(found.inputs, inputs));
      return response;
    }),

    update: unary(async (request: proto.UpdateRequest) => {
      const [olds, news] = [propsOf(request.getOlds()), propsOf(request.getNews())];
      const type = door.typeOf(request.getUrn(), news, olds);
      const response = new proto.UpdateResponse();
      if (request.getPreview()) {
        const previewed = previewedUpdate(definitionOf(type), bare(olds), bare(news));
        response.setProperties(answered(markedAs(previewed, olds), news));
        return response;
      }
      const update = () => run.providerOf(type).update(request.getId(), olds, news);
      const { outs } = await interruption
        .during("update", request.getTimeout(), update)
        .catch((error: unknown) => failed(error, news));
      response.setProperties(answered(outs, news));
      return response;
    }),

    delete: unary(async (request: proto.DeleteRequest) => {
      const props = propsOf(request.getProperties());
      const provider = run.providerOf(door.typeOf(request.getUrn(), props));
      await interruption.during("deletion", request.getTimeout(), () =>
        provider.delete(request.getId(), props),
      );
      return new emptyProto.Empty();
    }),

    cancel: unary(() => {
      interruption.cancel();
      return new emptyProto.Empty();
    }),
  };
}

export function checkFailure({ property, reason }: { property: string; reason: string }): proto.CheckFailure {
  const failure = new proto.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

/** The arguments by which an object can be found again when its creation was interrupted. */
function findingArgs(type: string, props: Props): Props {
  const definition = definitionOf(type);
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

/** @throws the error; what it says of an object that was made in part is marked */
function failed(error: unknown, inputs: Props): never {
  if (error instanceof PartialCreation) error.properties = markedAs(error.properties, inputs);
  throw error;
}
