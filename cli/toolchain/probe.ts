import { execa } from "execa";
import { ToolchainError, errorLine } from "./errors.js";
import { versionIn } from "./versions.js";

/** Long enough for a cold start on a busy machine, short enough not to look hung. */
const PROBE_MS = 20_000;

/** Runs `pulumi version` and reads the answer. */
export async function pulumiVersion(command: string): Promise<string> {
  const env = { PULUMI_SKIP_UPDATE_CHECK: "true" };
  const result = await execa(command, ["version"], {
    env,
    timeout: PROBE_MS,
    reject: false,
    stdin: "ignore",
  });
  const version = /^v?\d+\.\d+\.\d+/.test(result.stdout ?? "") ? versionIn(result.stdout) : undefined;
  if (result.failed || version === undefined) {
    const said = errorLine(
      result.stderr || result.stdout || (result.failed ? result.shortMessage : "nothing"),
    );
    throw new ToolchainError(
      "program-failed",
      `\`${command} version\` is not that of Pulumi: ${said.slice(0, 200)}`,
    );
  }
  return version;
}

/** Starts a language host as the engine would, and waits for the port it announces. */
export async function checkLanguageHost(command: string): Promise<void> {
  const host = execa(command, { timeout: PROBE_MS, reject: false, stdin: "ignore", all: true });
  let announced = false;
  host.stdout.on("data", (data: Buffer) => {
    announced ||= /^\d+\s/.test(data.toString());
    if (announced) host.kill();
  });
  const result = await host;
  if (announced) return;
  const said = errorLine(result.all || result.shortMessage || "nothing");
  throw new ToolchainError("program-failed", `${command} does not start: ${said.slice(0, 200)}`);
}
