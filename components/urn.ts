/** Parts of URNs: `urn:pulumi:<stack>::<project>::<type>::<logical name>`. */

/** Type of the resource that stands for the stack itself. */
export const STACK_TYPE = "pulumi:pulumi:Stack";

/** The logical name, which may contain `::` itself. */
export function parseLogicalName(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The URN of a resource. A type contains those of its parents. */
export function buildUrn(project: string, stack: string, type: string, name: string): string {
  return `urn:pulumi:${stack}::${project}::${type}::${name}`;
}

/** The URN of the resource that stands for a stack. */
export function buildStackUrn(project: string, stack: string): string {
  return buildUrn(project, stack, STACK_TYPE, `${project}-${stack}`);
}
