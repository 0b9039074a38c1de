/**
 * What the package exports as `pulumi-workspace-automation/provider`: the entry point of the dynamic providers. State that was written by
 * any release holds the text of `buildProviderText` and calls `get` with a type: neither may ever change its meaning.
 */
import { getDefinition } from "../resources/registry.js";
import { createDynamicProvider, type DynamicProvider } from "./adapters/dynamic.js";

/** The provider of a resource type. */
export function get(type: string): DynamicProvider {
  return createDynamicProvider(getDefinition(type));
}
