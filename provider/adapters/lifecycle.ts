/**
 * The operations on resources as methods of a gRPC provider, for the dynamic provider and for the packaged plugin.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import type grpc from "@grpc/grpc-js";
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { PartialCreation } from "../errors.js";
import { creationUnderWay, type Change } from "../../recovery/journal.js";
import { wasSurelyNotMade } from "../crud/candidates.js";
import { getDefinition } from "../resources/registry.js";
import { listSecretNames } from "../definition/secrets/mask.js";
import type { Fields } from "../definition/definition.js";
import { hasSecret, isSameJson, withoutMarks } from "../../diff/values.js";
import { PROVIDER_KEY } from "./provider-text.js";
import { toStruct, toProps, handleUnary, type Props } from "./grpc.js";
import { markAs, listNamesOfSecrets } from "./marks.js";
import { previewCreation, previewUpdate } from "./preview.js";
import { listPropertyChanges, createPropertyDiff } from "./property-diff.js";
import type { Run } from "./run.js";

/** The differences between the dynamic provider and the packaged plugin. */
export interface Conventions {
  /**
   * The resource type of an object.
   * @throws {ProviderError} for an object of another package
   */
  typeOf(urn: string, props: Props, olds?: Props): string;
  /** Values of an object besides its arguments and outputs. */
  additional(props: Props): Props;
  /** Whether a diff names each property that differs. */
  readonly isDetailed: boolean;
  /** Reads an object that the state does not contain, by its import id; absent where nothing can be imported. */
  readonly importById?: (type: string, id: string) => Promise<Imported | undefined>;
}

export interface Imported {
  readonly id: string;
  readonly props: Props;
  readonly inputs: Props;
}

export function createLifecycle(run: Run, conventions: Conventions): grpc.UntypedServiceImplementation {
  const { interruption } = run;
  /** Values with the secret marks of the earlier ones. */
  const marked = (values: Props, earlier: Props): Props => ({
    ...markAs(values, earlier),
    ...conventions.additional(earlier),
  });
  const bare = (props: Props) => withoutMarks(props) as Fields;
  /** Makes a change with an intent in the journal. */
  const recorded = async <T>(change: Change, work: () => Promise<T>): Promise<T> => {
    const intent = await run.journal().change(change);
    try {
      const result = await work();
      intent.handOver();
      return result;
    } catch (error) {
      if (findPartial(error) !== undefined) intent.handOver();
      else if (wasSurelyNotMade(error)) intent.close();
      throw error;
    }
  };

  return {
    check: handleUnary(async (request: proto.CheckRequest) => {
      const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
      const urn = request.getUrn();
      const provider = run.providerOf(conventions.typeOf(urn, news, olds), urn);
      const { inputs, failures } = await provider.check(olds, news);
      const response = new proto.CheckResponse();
      response.setInputs(toStruct(marked(inputs, news)));
      response.setFailuresList(failures.map(checkFailure));
      return response;
    }),

    diff: handleUnary(async (request: proto.DiffRequest) => {
      const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
      const type = conventions.typeOf(request.getUrn(), news, olds);
      const provider = run.providerOf(type, request.getUrn());
      const found = await provider.diff(request.getId(), olds, news);
      const { changes, replaces, deleteBeforeReplace } = found;
      const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
      const response = new proto.DiffResponse();
      response.setChanges(changes ? DIFF_SOME : DIFF_NONE);
      response.setReplacesList(replaces);
      response.setDeletebeforereplace(deleteBeforeReplace);
      // The engine's events mask secrets: without their names, nobody could see that one changes.
      response.setDiffsList([...(found.changed ?? [])]);
      if (!conventions.isDetailed || !changes) return response;
      response.setHasdetaileddiff(true);
      const compared = await provider.compared(olds, news);
      const changed = listPropertyChanges(getDefinition(type), bare(compared.olds), bare(compared.news));
      for (const { path, kind } of changed) response.getDetaileddiffMap().set(path, createPropertyDiff(kind));
      response.setDiffsList([...new Set(changed.map(({ path }) => /^\w+/.exec(path)?.[0] ?? path))]);
      return response;
    }),

    create: handleUnary(async (request: proto.CreateRequest) => {
      const props = toProps(request.getProperties());
      const type = conventions.typeOf(request.getUrn(), props);
      const response = new proto.CreateResponse();
      if (request.getPreview()) {
        response.setProperties(toStruct(marked(previewCreation(getDefinition(type), bare(props)), props)));
        return response;
      }
      run.refuseWriteInDryRun();
      const urn = request.getUrn();
      const creation = { urn, ...openArgs(type, props), secrets: listNamesOfSecrets(props) };
      const create = () => creationUnderWay.run(creation, () => run.providerOf(type, urn).create(props));
      const { id, outs } = await interruption
        .during("creation", request.getTimeout(), create)
        .catch((error: unknown) => {
          throw withMarks(error, props);
        });
      response.setId(id);
      response.setProperties(toStruct(marked(outs, props)));
      return response;
    }),

    read: handleUnary(async (request: proto.ReadRequest) => {
      const props = toProps(request.getProperties());
      const declared = toProps(request.getInputs());
      const inputs = { ...props, ...declared };
      const isKnown = Object.keys(props).length > 0;
      const type = conventions.typeOf(request.getUrn(), props);
      const id = request.getId();
      const read = () =>
        isKnown || conventions.importById === undefined
          ? run.providerOf(type, request.getUrn()).read(id, props, declared)
          : conventions.importById(type, id);
      const found = await interruption.during("read", request.getTimeout(), async () => read());
      const response = new proto.ReadResponse();
      if (found === undefined) return response;
      response.setId(found.id);
      response.setProperties(toStruct(marked(found.props, props)));
      response.setInputs(toStruct(marked(withoutUnmanaged(found.inputs, declared, props), inputs)));
      return response;
    }),

    update: handleUnary(async (request: proto.UpdateRequest) => {
      const [olds, news] = [toProps(request.getOlds()), toProps(request.getNews())];
      const type = conventions.typeOf(request.getUrn(), news, olds);
      const response = new proto.UpdateResponse();
      if (request.getPreview()) {
        const previewed = previewUpdate(getDefinition(type), bare(olds), bare(news));
        response.setProperties(toStruct(marked(markAs(previewed, olds), news)));
        return response;
      }
      run.refuseWriteInDryRun();
      const [urn, id] = [request.getUrn(), request.getId()];
      const update = () => run.providerOf(type, urn).update(id, olds, news);
      const { outs } = await interruption
        .during("update", request.getTimeout(), () => recorded({ op: "update", urn, id }, update))
        .catch((error: unknown) => {
          throw withMarks(error, news);
        });
      response.setProperties(toStruct(marked(outs, news)));
      return response;
    }),

    delete: handleUnary(async (request: proto.DeleteRequest) => {
      run.refuseWriteInDryRun();
      const props = toProps(request.getProperties());
      const [urn, id] = [request.getUrn(), request.getId()];
      const provider = run.providerOf(conventions.typeOf(urn, props), urn);
      const remove = () => recorded({ op: "delete", urn, id }, async () => provider.delete(id, props));
      await interruption.during("deletion", request.getTimeout(), remove);
      return new emptyProto.Empty();
    }),

    cancel: handleUnary(() => {
      interruption.cancel();
      return new emptyProto.Empty();
    }),
  };
}

/**
 * The arguments that were read, without those that the program does not declare and that are as before. The engine would take them for
 * changes made outside.
 * @param declared empty when the object is imported, or the engine does not pass it
 */
function withoutUnmanaged(found: Props, declared: Props, before: Props): Props {
  if (Object.keys(declared).length === 0) return found;
  const isAsBefore = (name: string) => isSameJson(withoutMarks(found[name]), withoutMarks(before[name]));
  return Object.fromEntries(
    Object.entries(found).filter(([name]) => Object.hasOwn(declared, name) || !isAsBefore(name)),
  );
}

export function checkFailure({ property, reason }: { property: string; reason: string }): proto.CheckFailure {
  const failure = new proto.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

/** The arguments without secrets, and the names of those by which an object is found after its creation was interrupted. */
function openArgs(type: string, props: Props): { inputs: Props; finding: ReadonlySet<string> } {
  const definition = getDefinition(type);
  const { naturalKey, references } = definition;
  const copied = Object.values(references).flatMap(({ copies = {} }) => Object.keys(copies));
  const finding = new Set(["workspace", ...naturalKey, ...Object.keys(references), ...copied]);
  const hidden = new Set([PROVIDER_KEY, ...listSecretNames(definition, withoutMarks(props) as Props)]);
  const open = Object.entries(props).filter(([name, value]) => !hidden.has(name) && !hasSecret(value));
  return { inputs: Object.fromEntries(open), finding };
}

function findPartial(error: unknown): PartialCreation | undefined {
  return error instanceof PartialCreation ? error : undefined;
}

/** Marks the secrets of an error that reports a partial creation or update. */
function withMarks(error: unknown, inputs: Props): unknown {
  const part = findPartial(error);
  if (part) part.properties = markAs(part.properties, inputs);
  return error;
}
