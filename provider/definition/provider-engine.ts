/** The two ways in which Pulumi reaches the resource types, and what each means for types in a state. */

/** What runs the resources: Pulumi's host of dynamic providers, or the packaged plugin. */
export const engines = ["dynamic", "plugin"] as const;
export type ProviderEngine = (typeof engines)[number];

/** Environment variable by which `workspacectl` tells a program what runs its resources. */
export const ENGINE_VARIABLE = "WORKSPACE_AUTOMATION_ENGINE";

const OWN_TYPES: Readonly<Record<ProviderEngine, string>> = {
  dynamic: "pulumi-nodejs:dynamic/workspace-automation:",
  plugin: "workspace-automation:index:",
};

/** The Pulumi package whose provider runs the resources. */
export const providerPackage: Readonly<Record<ProviderEngine, string>> = {
  dynamic: "pulumi-nodejs",
  plugin: "workspace-automation",
};

/** The Pulumi type of a resource type's objects. */
export function pulumiType(type: string, engine: ProviderEngine = "dynamic"): string {
  return `${OWN_TYPES[engine]}${type}`;
}

/** The resource type of a Pulumi type, and what runs it; undefined for another package's. */
export function ownType(type: string): { type: string; engine: ProviderEngine } | undefined {
  for (const engine of engines) {
    const prefix = OWN_TYPES[engine];
    if (type.startsWith(prefix)) return { type: type.slice(prefix.length), engine };
  }
  return undefined;
}
