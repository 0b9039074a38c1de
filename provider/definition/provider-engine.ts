/** The two engines that can run the resources, and their Pulumi types. */
import { findPackageType } from "../resources/package-types.js";

/** The engine of the resources: Pulumi's host of dynamic providers, or the packaged plugin. */
export const engines = ["dynamic", "plugin"] as const;
export type ProviderEngine = (typeof engines)[number];

/** Environment variable by which `workspacectl` selects the engine of a program's resources. */
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
export function getPulumiType(type: string, engine: ProviderEngine = "dynamic"): string {
  return `${OWN_TYPES[engine]}${type}`;
}

/**
 * The resource type and the engine of a Pulumi type; undefined for the types of other packages. A type of the package for one variant is
 * that of all variants here.
 */
export function parsePulumiType(type: string): { type: string; engine: ProviderEngine } | undefined {
  for (const engine of engines) {
    const prefix = OWN_TYPES[engine];
    if (!type.startsWith(prefix)) continue;
    const name = type.slice(prefix.length);
    return { type: findPackageType(name)?.definition.type ?? name, engine };
  }
  return undefined;
}
