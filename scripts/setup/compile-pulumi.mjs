// Begins to compile Pulumi while npm downloads packages, where only Go can provide it.
// cspell:ignore trimpath buildvcs
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const CLI = "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi";

/** As scripts/toolchain/gobuild.ts sets them: Go takes from its cache only what it has compiled in the same way. */
const settings = { GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" };
const flags = ["-trimpath", "-buildvcs=false"];

/** Fills Go's cache with what the CLI consists of. Returns what stops it: the build that comes next continues from the cache. */
export function beginToCompilePulumi(root) {
  const stop = new AbortController();
  void isWanted().then((wanted) => {
    if (!wanted || stop.signal.aborted) return;
    const options = { cwd: join(root, "scripts/toolchain/pulumi-cli"), env: { ...process.env, ...settings } };
    const go = spawn("go", ["list", "-export", "-deps", ...flags, CLI], { ...options, stdio: "ignore" });
    // Without Go, the setup says later what is missing.
    go.on("error", () => undefined);
    stop.signal.addEventListener("abort", () => go.kill());
  });
  return () => stop.abort();
}

/** Whether no Pulumi is there, and its release cannot be downloaded either. */
async function isWanted() {
  const { env } = process;
  const cache =
    env.WORKSPACECTL_CACHE ?? join(env.XDG_CACHE_HOME ?? join(env.HOME ?? "", ".cache"), "workspacectl");
  if (env.PULUMI_BIN || env.HTTPS_PROXY || env.https_proxy || existsSync(join(cache, "toolchain")))
    return false;
  if ((env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, "pulumi")))) return false;
  const address = env.WORKSPACECTL_PULUMI_RELEASES ?? "https://get.pulumi.com";
  return await fetch(address, { method: "HEAD", signal: AbortSignal.timeout(5000) }).then(
    () => false,
    () => true,
  );
}
