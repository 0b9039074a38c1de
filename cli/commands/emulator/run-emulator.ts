/** Runs `workspacectl emulator`. */
import { AutomationError } from "../../../automation/errors.js";
import { note } from "../../../automation/port.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import {
  type Emulator,
  type EmulatorOptions,
  listDifferences,
  startEmulator,
} from "../../../emulator/index.js";
import { handleSignals } from "../../../recovery/signals.js";
import { type Io, print } from "../../../reports/io.js";
import { formatJson } from "../../../text/safe-text.js";
import type { EmulatorCommandOptions } from "./emulator-command.js";

/** Runs the service on this machine until a signal. */
export async function runEmulator(options: EmulatorCommandOptions, io: Io): Promise<number> {
  // Listens before the first line is printed, because a caller may send a signal as soon as it appears.
  const stopped = stopSignal();
  const running = await start(options);
  if (options.json) {
    const { baseUrl, token, workspace, webUrl, key } = running;
    const behavior = options.profileSeed === undefined ? {} : { behavior: listDifferences(running.settings) };
    const more = { ...(key === undefined ? {} : { key }), ...behavior };
    print(io, formatJson({ baseUrl, token, workspace, webUrl, ...more }, 0));
  } else introduce(running, options, io);
  if (running.isPublic) warn(options, io);
  const signal = await stopped;
  await running.close();
  if (!options.json) note(io, `Stopped by ${signal}.`);
  return exitCodes.ok;
}

async function start({
  data,
  latency,
  strict,
  json: _json,
  ...others
}: EmulatorCommandOptions): Promise<Emulator> {
  const { port, host } = others;
  const options: EmulatorOptions = {
    ...others,
    ...(data === undefined ? {} : { dataDir: data }),
    ...(latency === undefined ? {} : { latencyMs: latency }),
    ...(strict ? { strictBodies: true } : {}),
  };
  try {
    return await startEmulator(options);
  } catch (error) {
    const { code, message, name } = error as NodeJS.ErrnoException;
    if (name === "SeedError") throw error;
    if (code === "EADDRINUSE")
      throw new AutomationError(
        `port ${port} of ${host} is in use`,
        "choose another with --port, or --port 0 for any",
      );
    if (code === "EACCES" && data === undefined)
      throw new AutomationError(`port ${port} may not be used by this user`, "choose one above 1023");
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new AutomationError(
        `${host} is not an address of this machine`,
        "omit --host, or use one of its addresses",
      );
    throw new AutomationError(
      `the emulator could not start: ${message}`,
      code === undefined ? message : `check that ${host} and the folder of its data can be used`,
      { cause: error },
    );
  }
}

function introduce(
  { baseUrl, token, workspace, webUrl, key, settings }: Emulator,
  { data, control }: EmulatorCommandOptions,
  io: Io,
): void {
  const { bold, dim } = io.colors;
  const stored =
    data === undefined
      ? "in memory, lost when the emulator stops (--data DIR stores it)"
      : `stored in ${data}`;
  print(io, bold("Emulator of the Workspace Automation Service"));
  print(io, `  address    ${baseUrl}`);
  print(io, `  workspace  ${workspace}`);
  print(io, `  web pages  ${webUrl}`);
  if (control) print(io, `  control    ${new URL("/_control", webUrl).href}`);
  if (key !== undefined)
    print(io, `  key        ${key} (the password of the web pages${control ? " and the control" : ""})`);
  print(io, `  data       ${stored}`);
  for (const [name, value] of Object.entries(listDifferences(settings)))
    print(io, `  differs    ${name}: ${Array.isArray(value) ? value.join(", ") : String(value)}`);
  print(io);
  print(io, "To use it from another terminal:");
  print(io, `  export WORKSPACE_AUTOMATION_BASE_URL=${baseUrl}`);
  print(io, `  export WORKSPACE_AUTOMATION_TOKEN=${token}`);
  print(io, `  export WORKSPACE_AUTOMATION_DOMAIN=${workspace}`);
  print(io, "  workspacectl up -f workspace.yaml");
  print(io);
  print(io, dim("Stop it with Ctrl-C."));
}

/** Warns that other machines have access, and to what. */
function warn({ host, control }: EmulatorCommandOptions, io: Io): void {
  const guarded = control ? "The web pages and the control interface" : "The web pages";
  note(
    io,
    `warning: other machines can reach the emulator at ${host}, over plain HTTP. ${guarded} for the key; ` +
      "omit --host to keep everything on this machine.",
  );
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => void handleSignals(resolve, { times: "once" }));
}
