import { execa } from "execa";
import { errorLine, programFailed } from "./errors.js";
import { versionIn } from "./versions.js";

/** Time that suffices for a cold start on a busy machine. */
const PROBE_MS = 20_000;

/** Runs `pulumi version` and returns the version. */
export async function pulumiVersion(command: string): Promise<string> {
  const options = { timeout: PROBE_MS, reject: false, stdin: "ignore" } as const;
  const env = { PULUMI_SKIP_UPDATE_CHECK: "true" };
  const result = await execa(command, ["version"], { env, ...options });
  const version = /^v?\d+\.\d+\.\d+/.test(result.stdout ?? "") ? versionIn(result.stdout) : undefined;
  if (result.failed || version === undefined) {
    const output = result.stderr || result.stdout || (result.failed ? result.shortMessage : "nothing");
    const message = errorLine(output).slice(0, 200);
    throw programFailed(`\`${command} version\` is not that of Pulumi: ${message}`);
  }
  return version;
}

/** Starts a language host as the engine does, and waits for the port that it prints. */
export async function checkLanguageHost(command: string): Promise<void> {
  const host = execa(command, { timeout: PROBE_MS, reject: false, stdin: "ignore", all: true });
  let announced = false;
  host.stdout.on("data", (data: Buffer) => {
    announced ||= /^\d+\s/.test(data.toString());
    if (announced) host.kill();
  });
  const result = await host;
  if (announced) return;
  const message = errorLine(result.all || result.shortMessage || "nothing").slice(0, 200);
  throw programFailed(`${command} does not start: ${message}`);
}
