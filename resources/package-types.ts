/** The types of the Pulumi package: one per resource type, and one per variant, such as `BuildAction` for an Action with type BUILD. */
import { z } from "zod";
import type { Definition, Fields } from "./definition/definition.js";
import { engines, type ProviderEngine, pulumiTypePrefix } from "./definition/provider-engine.js";
import { definitions } from "./registry.js";

export interface PackageType {
  readonly name: string;
  readonly definition: Definition;
  /** The variant that the type stands for; absent for the type that takes the arguments of all variants. */
  readonly kind?: string;
  /** Arguments that the type implies. Programs do not declare them. */
  readonly implied: Fields;
}

/** The types of a definition's variants. */
export function listVariantTypes(definition: Definition): PackageType[] {
  return Object.entries(definition.variants?.of ?? {}).map(([kind, { args }]) => ({
    name: getVariantTypeName(definition, kind),
    definition,
    kind,
    implied: readLiterals(args),
  }));
}

/** `CLOUD_VM (key and password)` of `Action` → `CloudVmKeyAndPasswordAction` */
export function getVariantTypeName({ type }: Definition, kind: string): string {
  const words = kind.toLowerCase().split(/[^a-z0-9]+/);
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}${type}`;
}

const byName = new Map(
  definitions
    .flatMap((definition): PackageType[] => [
      { name: definition.type, definition, implied: {} },
      ...listVariantTypes(definition),
    ])
    .map((type) => [type.name, type]),
);

/** The type of the package with this name, such as `Action` or `BuildAction`. */
export function findPackageType(name: string): PackageType | undefined {
  return byName.get(name);
}

/** The components of the package. They have only their children at the service. */
export const componentTypes = ["PipelineDefinition", "WorkspaceFile"] as const;

/** The component of a Pulumi type; undefined for any other type. */
export function findComponentType(type: string): (typeof componentTypes)[number] | undefined {
  return componentTypes.find((name) => type === pulumiTypePrefix.plugin + name);
}

/**
 * The resource type and the engine of a Pulumi type; undefined for components, and for the types of other packages. A type of the package for one variant is
 * that of all variants here.
 */
export function parsePulumiType(type: string): { type: string; engine: ProviderEngine } | undefined {
  for (const engine of engines) {
    const prefix = pulumiTypePrefix[engine];
    if (!type.startsWith(prefix)) continue;
    const name = type.slice(prefix.length);
    if (componentTypes.some((component) => component === name)) return undefined;
    return { type: findPackageType(name)?.definition.type ?? name, engine };
  }
  return undefined;
}

function readLiterals(args: Readonly<Record<string, z.ZodType>>): Fields {
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, schema]) =>
      schema instanceof z.ZodLiteral ? [[name, schema.value as unknown] as const] : [],
    ),
  );
}
