/** Runs programs of the toolchain to learn whether they work. */
import { execa } from "execa";
import { createChildEnvironment } from "../../trust/child-environment.js";
import { formatErrorLine, createProgramError } from "./errors.js";
import type { ChildContext } from "./types.js";
import { findVersionIn } from "./versions.js";

/** Time that is enough for a cold start on a busy machine. */
const PROBE_MS = 20_000;

function buildRunOptions({ env, checkouts }: ChildContext) {
  const own = createChildEnvironment("pulumi", env, checkouts);
  const options = { timeout: PROBE_MS, reject: false, stdin: "ignore", extendEnv: false } as const;
  return { ...options, env: { ...own, PULUMI_SKIP_UPDATE_CHECK: "true" } };
}

/** Runs `pulumi version` and returns the version. */
export async function readPulumiVersion(command: string, context: ChildContext): Promise<string> {
  const result = await execa(command, ["version"], buildRunOptions(context));
  const version = /^v?\d+\.\d+\.\d+/.test(result.stdout ?? "") ? findVersionIn(result.stdout) : undefined;
  if (result.failed || version === undefined) {
    const output = result.stderr || result.stdout || (result.failed ? result.shortMessage : "nothing");
    const message = formatErrorLine(output).slice(0, 200);
    throw createProgramError(`\`${command} version\` is not that of Pulumi: ${message}`);
  }
  return version;
}

/** Starts a language host as the engine does, and waits for the port that it prints. */
export async function checkLanguageHost(command: string, context: ChildContext): Promise<void> {
  const host = execa(command, { ...buildRunOptions(context), all: true });
  let announced = false;
  host.stdout.on("data", (data: Buffer) => {
    announced ||= /^\d+\s/.test(data.toString());
    if (announced) host.kill();
  });
  const result = await host;
  if (announced) return;
  const message = formatErrorLine(result.all || result.shortMessage || "nothing").slice(0, 200);
  throw createProgramError(`${command} does not start: ${message}`);
}
