/** Files named by the environment that must not be in a checkout: programs, and settings that can name programs. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { refuseInCheckout } from "../../trust/programs.js";
import { getCacheRoot } from "./locations.js";
import { digestFile } from "./records.js";

/** @throws {TrustError} when the environment keeps any of it in a checkout */
export function refuseUntrusted(env: NodeJS.ProcessEnv, checkouts: readonly string[]): void {
  const refuse = (what: string, path: string, remedy: string) =>
    refuseInCheckout(what, path, checkouts, remedy);
  refuse(
    "The cache of programs",
    getCacheRoot(env),
    "Set WORKSPACECTL_CACHE to a folder outside of it, or XDG_CACHE_HOME. In GitLab CI, this is a folder outside of CI_PROJECT_DIR; " +
      "docs/install.md says how to keep it between jobs.",
  );
  refuse("The list of digests", digestFile(env), "Set WORKSPACECTL_DIGESTS to a file outside of it.");
  const named = env["PULUMI_BIN"];
  if (named) refuse("PULUMI_BIN", named, "Install Pulumi outside of it, or unset PULUMI_BIN.");
  for (const path of listCloudSettings(env).filter((one) => existsSync(one)))
    refuse("The cloud settings in", path, "Keep them outside of it, because they can name programs to run.");
}

/** Settings with which Pulumi logs in to a bucket or a key service. */
function listCloudSettings(env: NodeJS.ProcessEnv): string[] {
  const home = (...steps: string[]) => join(homedir(), ...steps);
  return [
    env["AWS_CONFIG_FILE"] || home(".aws", "config"),
    env["AWS_SHARED_CREDENTIALS_FILE"] || home(".aws", "credentials"),
    env["AZURE_CONFIG_DIR"] || home(".azure"),
  ];
}
