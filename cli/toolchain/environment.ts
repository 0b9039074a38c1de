import { delimiter, dirname } from "node:path";
import { moduleLinks } from "./links.js";
import { onPath } from "./locations.js";
import type { PulumiToolchain } from "./types.js";

/**
 * The variables with which Pulumi finds its programs and this package from any working directory: set them for
 * `pulumi` itself or hand them to the Automation API as `envVars`.
 */
export async function toolchainEnvironment(
  toolchain: Pick<PulumiToolchain, "binDir">,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ PATH: string; NODE_PATH: string; PULUMI_SKIP_UPDATE_CHECK: string }> {
  const path = env["PATH"] ?? env["Path"];
  // The provider process is started as `node`; where that is not on PATH, the running one serves.
  const node = onPath(process.platform === "win32" ? "node.exe" : "node", env)
    ? undefined
    : dirname(process.execPath);
  return {
    PATH: joined(toolchain.binDir, path, node),
    NODE_PATH: joined(await moduleLinks(undefined, env), env["NODE_PATH"]),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/** Joins lists of folders; one that is in there already is not repeated. */
function joined(...lists: (string | undefined)[]): string {
  const folders = lists.flatMap((list) => list?.split(delimiter) ?? []).filter((folder) => folder !== "");
  return [...new Set(folders)].join(delimiter);
}
