/** Parses URNs: `urn:pulumi:<stack>::<project>::<type>::<logical name>`. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation/index.js";
import { parseLogicalName } from "../components/urn.js";
import { type Definition, findDefinition, parsePulumiType } from "../provider/index.js";

/** The type token of an object without parents of its own. */
export function parseTypeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The resource type of a type token, such as `Group`; `Action` for the type of one action type. That of another provider is the token itself. */
export function parseResourceType(token: string): string {
  return parsePulumiType(token)?.type ?? token;
}

/** The definition that a type token names, unless it is another provider's. */
export function findDefinitionAt({ type }: { readonly type: string }): Definition | undefined {
  const own = parsePulumiType(type)?.type;
  return findDefinition(own);
}

/** Whether it is neither the stack itself nor a provider. */
export function isObject({ type }: { readonly type: string }): boolean {
  return !type.startsWith("pulumi:");
}

/** Whether the engine asks a provider about it. A component has nothing outside, and the engine refreshes it as an object without an id. */
export function isCustom({ old, new: fresh }: Pick<StepEventMetadata, "old" | "new">): boolean {
  return (fresh ?? old)?.custom === true;
}

/** The object's own id at the service: the last part of its Pulumi id. */
export function parseIdAtService(id: string): string {
  return decodeURIComponent(id.slice(id.lastIndexOf("/") + 1));
}

/**
 * The name, or the URN, of an object that a replacement has created anew, and that is still to be deleted. Its successor has the name
 * itself.
 */
export function nameReplaced(name: string, id: string): string {
  return `${name} (replaced, ${parseIdAtService(id)})`;
}

/** The resource type and the logical name of an object in an event of the engine. */
export function parseIdentity({ urn, type }: { readonly urn: string; readonly type: string }): {
  type: string;
  name: string;
} {
  return { type: parseResourceType(type), name: parseLogicalName(urn) };
}

/** Sorts by name, because the engine's order scatters related objects. */
export function compareByName(a: { readonly name: string }, b: { readonly name: string }): number {
  const [one, other] = [a.name.split("/"), b.name.split("/")];
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (part !== against) return part < against ? -1 : 1;
  }
  return one.length - other.length;
}
