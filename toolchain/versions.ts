/** Pulumi CLI to install when the machine has none. scripts/toolchain/pulumi-cli/go.mod pins the same version. */
export const PULUMI_VERSION = "3.259.0";

/**
 * Minimum version of a CLI of the user's own. Since 3.206.0 the engine sends its events over a connection. Before, it wrote them
 * to a file, and the events that drift reports are made of could arrive after the end of the operation.
 */
export const MINIMUM_PULUMI_VERSION = "3.206.0";

/** First Node.js that loads ES modules with `require`, as Pulumi's provider process does. */
export const MINIMUM_NODE_VERSION = "20.19.0";

/** Returns the `1.2.3` in a text such as `v1.2.3-beta+x` or `go version go1.26 linux/amd64`. */
export function findVersionIn(text: string): string | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? `${match[1]}.${match[2]}.${match[3] ?? "0"}` : undefined;
}

/** Reports whether a version is at least as new as another. A pre-release counts as its release. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => text.split(".").map((part) => parseInt(part, 10)));
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (want?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
