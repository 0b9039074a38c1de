/** The two engines that can run the resources, and their Pulumi types. */

/** The engine of the resources: Pulumi's host of dynamic providers, or the packaged plugin. */
export const engines = ["dynamic", "plugin"] as const;
export type ProviderEngine = (typeof engines)[number];

/** Environment variable by which `workspacectl` selects the engine of a program's resources. */
export const ENGINE_VARIABLE = "WORKSPACE_AUTOMATION_ENGINE";

/** The beginning of the Pulumi types that an engine runs. */
export const pulumiTypePrefix: Readonly<Record<ProviderEngine, string>> = {
  dynamic: "pulumi-nodejs:dynamic/workspace-automation:",
  plugin: "workspace-automation:index:",
};

/** The Pulumi package whose provider runs the resources. */
export const providerPackage: Readonly<Record<ProviderEngine, string>> = {
  dynamic: "pulumi-nodejs",
  plugin: "workspace-automation",
};

/** The Pulumi type of a resource type's objects. */
export function getPulumiType(type: string, engine: ProviderEngine = "dynamic"): string {
  return `${pulumiTypePrefix[engine]}${type}`;
}
