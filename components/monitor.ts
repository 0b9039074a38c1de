/**
 * A client of the engine's resource monitor, where a program registers its resources.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/resource.proto
 */
import aliasProto from "@pulumi/pulumi/proto/alias_pb.js";
import monitorGrpc from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import proto from "@pulumi/pulumi/proto/resource_pb.js";
import emptyProto from "google-protobuf/google/protobuf/empty_pb.js";
import { GrpcClient, GrpcError, toProps, toStruct } from "../provider/adapters/grpc.js";
import { status } from "../provider/adapters/grpc-server.js";
import type { Fields } from "../provider/index.js";
import type { RunJournal } from "../recovery/run-journal.js";
import { STACK_TYPE } from "./urn.js";

/** A resource to register. */
export interface Registration {
  /** Pulumi type token. */
  readonly type: string;
  readonly name: string;
  /** URN of the parent. */
  readonly parent: string;
  readonly inputs: Fields;
  /** URNs of all resources it depends on. */
  readonly dependencies: readonly string[];
  /** URNs of dependencies, by input. */
  readonly inputDependencies: ReadonlyMap<string, readonly string[]>;
  readonly formerNames: readonly string[];
  readonly protect: boolean | undefined;
  readonly retain: boolean;
  /** Paths of properties whose changes the engine ignores. */
  readonly ignoreChanges: readonly string[];
  /** The operation leaves it as it is in the state, whatever is registered. */
  readonly isLeftOut?: boolean;
}

/** The engine's response to a registration. */
export interface Registered {
  readonly urn: string;
  /** Absent until the object is created. */
  readonly id?: string;
  readonly outputs: Fields;
  /** Further outputs are unknown: in a preview of a creation, or after a failed operation on the object. */
  readonly isPartial: boolean;
}

/** A component, which has only its children at the service. */
export interface ComponentRegistration {
  /** Pulumi type token. */
  readonly type: string;
  readonly name: string;
  /** URN of the parent; absent for the stack itself. */
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly aliases: readonly aliasProto.Alias[];
}

/** The provider of the resources that a component registers. */
export interface ProviderChoice {
  /** Reference of an explicit provider. */
  readonly provider?: string;
  /** Version of the plugin, for the default provider. */
  readonly version?: string;
}

const service = monitorGrpc.ResourceMonitorService;
const USUAL: readonly number[] = [status.UNIMPLEMENTED, status.UNAVAILABLE];

export class Monitor {
  private readonly client: GrpcClient;

  constructor(
    address: string,
    private readonly dryRun: boolean,
    private readonly journal?: RunJournal,
    private readonly choice: ProviderChoice = {},
  ) {
    this.client = new GrpcClient(address);
  }

  /** Registers the resource of the stack itself. @returns its URN */
  async registerStack(project: string, stack: string, outputs: Fields): Promise<string> {
    const request = createRequest(STACK_TYPE, `${project}-${stack}`);
    request.setObject(toStruct({}));
    const root = (await this.send(request)).getUrn();
    await this.registerOutputs(root, outputs);
    return root;
  }

  /** @returns its URN */
  async registerComponent(component: ComponentRegistration): Promise<string> {
    const { type, name, parent, dependencies, aliases } = component;
    const request = createRequest(type, name);
    request.setParent(parent);
    request.setObject(toStruct({}));
    request.setDependenciesList([...dependencies]);
    request.setAliasesList([...aliases]);
    return (await this.send(request)).getUrn();
  }

  /** Sets the outputs of the stack or of a component. */
  async registerOutputs(urn: string, outputs: Fields): Promise<void> {
    const registration = new proto.RegisterResourceOutputsRequest();
    registration.setUrn(urn);
    registration.setOutputs(toStruct(outputs));
    await this.client.call(service.registerResourceOutputs, registration);
  }

  async register(registration: Registration): Promise<Registered> {
    const { type, name, parent, inputs, protect, retain, ignoreChanges } = registration;
    const request = createRequest(type, name);
    request.setCustom(true);
    request.setParent(parent);
    request.setObject(toStruct(inputs));
    request.setDependenciesList([...registration.dependencies]);
    for (const [input, urns] of registration.inputDependencies) {
      const dependencies = new proto.RegisterResourceRequest.PropertyDependencies();
      dependencies.setUrnsList([...urns]);
      request.getPropertydependenciesMap().set(input, dependencies);
    }
    request.setProvider(this.choice.provider ?? "");
    request.setVersion(this.choice.version ?? "");
    request.setAliasesList(registration.formerNames.map((former) => createAlias(former, parent)));
    if (protect !== undefined) request.setProtect(protect);
    if (retain) request.setRetainondelete(true);
    request.setIgnorechangesList([...ignoreChanges]);
    const ofStack = parent.split("::").slice(0, 2).join("::");
    if (!registration.isLeftOut)
      this.journal?.register(`${ofStack}::${type}::${name}`, {
        parent,
        dependencies: registration.dependencies,
        propertyDependencies: Object.fromEntries(registration.inputDependencies),
        protect: protect === true,
        retainOnDelete: retain,
        ...(ignoreChanges.length > 0 ? { ignoreChanges } : {}),
      });
    const response = await this.send(request);
    const id = response.getId();
    return {
      urn: response.getUrn(),
      ...(id === "" ? {} : { id }),
      outputs: toProps(response.getObject()),
      // Of an existing object, a preview names each output that is unknown.
      isPartial: (this.dryRun && id === "") || response.getResult() !== proto.Result.SUCCESS,
    };
  }

  /** Signals that the program has registered everything, and waits until the engine has finished. */
  async end(): Promise<void> {
    try {
      await this.client.call(service.signalAndWaitForShutdown, new emptyProto.Empty());
    } catch (error) {
      // An older engine does not have this request, and a failed one has already exited with a reason.
      const isUsual = error instanceof GrpcError && USUAL.includes(error.code);
      if (!isUsual) throw error;
    }
  }

  close(): void {
    this.client.close();
  }

  private send(request: proto.RegisterResourceRequest): Promise<proto.RegisterResourceResponse> {
    return this.client.call(service.registerResource, request);
  }
}

function createRequest(type: string, name: string): proto.RegisterResourceRequest {
  const request = new proto.RegisterResourceRequest();
  request.setType(type);
  request.setName(name);
  request.setAcceptsecrets(true);
  request.setAcceptresources(true);
  request.setSupportspartialvalues(true);
  request.setSupportsresultreporting(true);
  request.setAliasspecs(true);
  return request;
}

function createAlias(name: string, parent: string): aliasProto.Alias {
  const spec = new aliasProto.Alias.Spec();
  spec.setName(name);
  spec.setParenturn(parent);
  const alias = new aliasProto.Alias();
  alias.setSpec(spec);
  return alias;
}
