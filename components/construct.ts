/**
 * Creates the components of the plugin: registers each with the engine, and then its resources.
 * @see https://github.com/pulumi/pulumi/blob/master/proto/pulumi/provider.proto
 */
import proto from "@pulumi/pulumi/proto/provider_pb.js";
import { VERSION } from "../client/version.js";
import { toProps, toStruct } from "../provider/adapters/grpc.js";
import type { Run } from "../provider/adapters/provider-run.js";
import { pulumiTypePrefix } from "../resources/definition/provider-engine.js";
import { ProviderError } from "../resources/errors.js";
import { componentTypes, findComponentType } from "../resources/package-types.js";
import { refuseConfiguration } from "../trust/variables.js";
import type { ConfigValue } from "../workspace-file/index.js";
import type { Component, RegisteredDeclaration } from "./component.js";
import { Monitor } from "./monitor.js";
import { pipelineDefinition } from "./pipeline-definition.js";
import { registerAll } from "./register.js";
import { buildStackUrn } from "./urn.js";
import { workspaceFile } from "./workspace-file.js";

const components: Readonly<Record<(typeof componentTypes)[number], Component>> = {
  PipelineDefinition: pipelineDefinition,
  WorkspaceFile: workspaceFile,
};

/** @throws {Error} with all problems of the component's inputs */
export async function construct(request: proto.ConstructRequest, run: Run): Promise<proto.ConstructResponse> {
  const [type, name] = [request.getType(), request.getName()];
  const component = findComponent(type);
  const declarations = await component.declare({
    name,
    inputs: toProps(request.getInputs()),
    stack: request.getStack(),
    config: createConfig(request),
    connection: async () => (await run.openSession()).connectionName,
  });
  const provider = request.getProvidersMap().get("workspace-automation");
  const origin = provider === undefined ? { version: VERSION } : { provider };
  const monitor = new Monitor(request.getMonitorendpoint(), request.getDryrun(), undefined, origin);
  try {
    const root = buildStackUrn(request.getProject(), request.getStack());
    const dependencies = listDependencies(request);
    const parent = request.getParent();
    const aliases = request.getAliasesList();
    const urn = await monitor.registerComponent({ type, name, parent, dependencies, aliases });
    const all: RegisteredDeclaration[] = [];
    await registerAll(declarations ?? [], monitor, component.isFlat ? root : urn, {
      engine: "plugin",
      parallel: request.getParallel(),
      inherited: {
        dependencies,
        protect: request.getProtect() || undefined,
        retain: request.getRetainondelete() === true,
      },
      onRegistered: (declaration, registered) => all.push({ declaration, registered }),
    });
    const outputs = component.outputs(declarations && all);
    await monitor.registerOutputs(urn, outputs);
    const urns = all.map(({ registered }) => registered.urn);
    return createResponse(urn, outputs, urns);
  } finally {
    monitor.close();
  }
}

function findComponent(type: string): Component {
  const name = findComponentType(type);
  if (name !== undefined) return components[name];
  const tokens = componentTypes.map((one) => pulumiTypePrefix.plugin + one);
  throw new ProviderError(
    "refused",
    `workspace-automation ${VERSION} has no component "${type}"`,
    `its components are ${tokens.join(" and ")}`,
  );
}

/** The resources on which the component depends itself, or by its inputs. */
function listDependencies(request: proto.ConstructRequest): string[] {
  const ofInputs = request.getInputdependenciesMap().toArray() as [
    string,
    { getUrnsList(): string[] } | string[],
  ][];
  const urns = ofInputs.flatMap(([, one]) => (Array.isArray(one) ? one.flat() : one.getUrnsList()));
  return [...new Set([...request.getDependenciesList(), ...urns])];
}

function createConfig(request: proto.ConstructRequest): (key: string) => ConfigValue | undefined {
  const values = new Map(request.getConfigMap().toArray());
  const secret = new Set(request.getConfigsecretkeysList());
  return (key) => {
    const full = key.includes(":") ? key : `${request.getProject()}:${key}`;
    refuseConfiguration(full);
    const value = values.get(full);
    return value === undefined ? undefined : { value, secret: secret.has(full) };
  };
}

function createResponse(
  urn: string,
  outputs: Readonly<Record<string, unknown>>,
  urns: readonly string[],
): proto.ConstructResponse {
  const response = new proto.ConstructResponse();
  response.setUrn(urn);
  response.setState(toStruct(outputs));
  for (const name of Object.keys(outputs)) {
    const dependencies = new proto.ConstructResponse.PropertyDependencies();
    dependencies.setUrnsList([...urns]);
    response.getStatedependenciesMap().set(name, dependencies);
  }
  return response;
}
