/** The parts of a URN: `urn:pulumi:<stack>::<project>::<type>::<logical name>`. */

/** The logical name, which may hold `::` itself. */
export function logicalNameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The type token of an object without parents of its own. */
export function typeOfUrn(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** The resource type that a type token ends with, such as `Group`. */
export function resourceTypeOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}

/** The resource type and the logical name of an object in an event of the engine. */
export function identityIn({ urn, type }: { readonly urn: string; readonly type: string }): {
  type: string;
  name: string;
} {
  return { type: resourceTypeOf(type), name: logicalNameOf(urn) };
}
