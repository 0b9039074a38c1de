import { execa } from "execa";
import { cancelled, errorLine, programFailed } from "./errors.js";
import { packageRoot } from "./locations.js";
import type { WorkContext } from "./types.js";
import { PULUMI_VERSION } from "./versions.js";

/** Time after which an address that does not respond counts as unreachable. */
const REACH_MS = 10_000;
/** Time that suffices for the release over a slow connection. */
const DOWNLOAD_MS = 300_000;

/**
 * Runs in a process of its own, since the installer accepts no signal and no time limit. It requests the address first,
 * because the installer itself would wait for two minutes where nothing responds.
 */
const script = `
const { createRequire } = require("node:module");
const file = require.resolve("@pulumi/pulumi/automation");
const { PulumiCommand } = require(file);
const { SemVer } = createRequire(file)("semver");
const [root, version, patience] = process.argv.slice(1);
const quiet = (error) => { console.error(String(error.cause?.message ?? error.message)); process.exit(1); };
fetch("https://get.pulumi.com/install.sh", { method: "HEAD", signal: AbortSignal.timeout(Number(patience)) })
  .then(() => PulumiCommand.install({ root, version: new SemVer(version) }))
  .then(() => process.exit(0), quiet);
`;

/** Installs the official release into `root`/bin with the Automation API's own installer. */
export async function install(root: string, { env, onProgress, signal }: WorkContext): Promise<void> {
  const text = `downloading Pulumi ${PULUMI_VERSION} from get.pulumi.com`;
  onProgress({ kind: "step", way: "installer", text });
  const result = await execa(process.execPath, ["-e", script, root, PULUMI_VERSION, String(REACH_MS)], {
    cwd: packageRoot(),
    // Where Node.js knows this variable, its fetch honours HTTPS_PROXY.
    env: { ...env, NODE_USE_ENV_PROXY: "1" },
    extendEnv: false,
    timeout: DOWNLOAD_MS,
    reject: false,
    stdin: "ignore",
    ...(signal && { cancelSignal: signal }),
  });
  if (result.isCanceled) throw cancelled();
  if (result.timedOut) throw programFailed(`the download did not end within ${DOWNLOAD_MS / 1000} seconds`);
  if (result.failed) {
    const message = errorLine(result.stderr || result.shortMessage).slice(0, 200);
    throw programFailed(`get.pulumi.com cannot be used (${message})`);
  }
}
