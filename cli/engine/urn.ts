/** The parts of a URN: `urn:pulumi:<stack>::<project>::<type>::<logical name>`. */

/** The logical name, which may hold `::` itself. */
export function logicalNameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The resource type that a type token ends with, such as `Group`. */
export function resourceTypeOf(token: string): string {
  return token.slice(token.lastIndexOf(":") + 1);
}
