/** The Pulumi CLI this project fetches or builds when the machine has none; toolchain/pulumi-cli/go.mod pins the same. */
export const PULUMI_VERSION = "3.259.0";

/** The SDK release whose Node.js language host is built: the last one that ships the host as a Go module. */
export const LANGUAGE_HOST_SDK_VERSION = "3.68.0";

/**
 * The oldest CLI of the user's own that is used. From 3.206.0 on the engine hands over its events by a
 * connection; before, it writes them to a file, and those out of which drift reports are made may arrive after the operation has
 * ended. The rest of what we need is older.
 */
export const MINIMUM_PULUMI_VERSION = "3.206.0";

/** The oldest Node.js that can load ES modules with `require`, which Pulumi's provider process does. */
export const MINIMUM_NODE_VERSION = "20.19.0";

/** Go fetches a newer Go by itself from this version on, so older ones cannot build what go.mod asks for. */
export const MINIMUM_GO_VERSION = "1.21.0";

/** The `1.2.3` in a text such as `v1.2.3-beta+x` or `go version go1.26 linux/amd64`; undefined without one. */
export function versionIn(text: string): string | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  return match ? `${match[1]}.${match[2]}.${match[3] ?? "0"}` : undefined;
}

/** Whether a version is at least as new as another; pre-releases count as the release they lead to. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => text.split(".").map((part) => parseInt(part, 10)));
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (want?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
