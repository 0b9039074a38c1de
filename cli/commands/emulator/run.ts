import { startEmulator, type Emulator, type EmulatorOptions } from "../../../emulator/index.js";
import { CliError } from "../../errors.js";
import { exitCodes } from "../../exit-codes.js";
import { note, print, type Io } from "../../terminal/io.js";
import { jsonText } from "../../terminal/safe-text.js";

export interface EmulatorCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly seed?: string;
  readonly token?: string;
  readonly key?: string;
  readonly publicOrigin?: string;
  readonly latency?: number;
  readonly rateLimit?: number;
  readonly basePath?: string;
  readonly strict?: boolean;
  readonly control?: boolean;
  readonly json?: boolean;
}

/** Runs the service on this machine until SIGINT or SIGTERM. */
export async function emulator(options: EmulatorCommandOptions, io: Io): Promise<number> {
  // Listened for before the first line is printed: whoever waits for it may stop us at once.
  const stopped = stopSignal();
  const running = await start(options);
  if (options.json) {
    const { baseUrl, token, workspace, webUrl, key } = running;
    print(io, jsonText({ baseUrl, token, workspace, webUrl, ...(key === undefined ? {} : { key }) }, 0));
  } else introduce(running, options, io);
  if (running.isPublic) warn(options, io);
  const signal = await stopped;
  await running.close();
  if (!options.json) note(io, `Stopped by ${signal}.`);
  return exitCodes.ok;
}

async function start({
  port,
  host,
  data,
  seed,
  token,
  key,
  publicOrigin,
  latency,
  rateLimit,
  basePath,
  strict = false,
  control = false,
}: EmulatorCommandOptions): Promise<Emulator> {
  const options: EmulatorOptions = {
    port,
    host,
    ...(data === undefined ? {} : { dataDir: data }),
    ...(seed === undefined ? {} : { seed }),
    ...(token === undefined ? {} : { token }),
    ...(key === undefined ? {} : { key }),
    ...(publicOrigin === undefined ? {} : { publicOrigin }),
    ...(latency === undefined ? {} : { latencyMs: latency }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(basePath === undefined ? {} : { basePath }),
    strictBodies: strict,
    control,
  };
  try {
    return await startEmulator(options);
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException;
    if (name === "SeedError") throw error;
    if (code === "EADDRINUSE")
      throw new CliError(`port ${port} of ${host} is in use: take another with --port, or --port 0 for any`);
    if (code === "EACCES" && data === undefined)
      throw new CliError(`port ${port} may not be used by this user: take one above 1023`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new CliError(`${host} is no address of this machine: leave --host out, or name one of its own`);
    throw new CliError(`the emulator could not start: ${message}`, exitCodes.error, { cause: error });
  }
}

function introduce(
  { baseUrl, token, workspace, webUrl, key }: Emulator,
  { data, control }: EmulatorCommandOptions,
  io: Io,
): void {
  const { bold, dim } = io.colors;
  const kept = data === undefined ? "in memory, gone at the end (--data DIR keeps it)" : `kept in ${data}`;
  print(io, bold("The Workspace Automation Service, emulated on this machine"));
  print(io, `  address    ${baseUrl}`);
  print(io, `  workspace  ${workspace}`);
  print(io, `  web pages  ${webUrl}`);
  if (control) print(io, `  control    ${new URL("/_control", webUrl).href}`);
  if (key !== undefined)
    print(io, `  key        ${key} (the password of the web pages${control ? " and the control" : ""})`);
  print(io, `  data       ${kept}`);
  print(io);
  print(io, "To use it, in another terminal:");
  print(io, `  export WORKSPACE_AUTOMATION_BASE_URL=${baseUrl}`);
  print(io, `  export WORKSPACE_AUTOMATION_TOKEN=${token}`);
  print(io, `  export WORKSPACE_AUTOMATION_DOMAIN=${workspace}`);
  print(io, "  workspacectl up -f workspace.yaml");
  print(io);
  print(io, dim("Stop it with Ctrl-C."));
}

/** Others on the network are let in: say to what. */
function warn({ host, control }: EmulatorCommandOptions, io: Io): void {
  const guarded = control ? "The web pages and the control interface ask" : "The web pages ask";
  note(
    io,
    `warning: other machines can reach the emulator at ${host}, over plain HTTP. ${guarded} for the key; ` +
      "leave --host out to keep everything on this machine.",
  );
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, resolve);
  });
}
