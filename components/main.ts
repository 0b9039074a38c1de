/**
 * The program `pulumi-resource-workspace-automation`. Pulumi's engine starts it with the engine's address as an argument. It serves the
 * plugin on a loopback port, prints the port, and ends with the engine.
 */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { stripControls } from "../client/printable.js";
import { serve } from "../provider/adapters/grpc-server.js";
import { openPlannedArguments, readPermittedOperations } from "../provider/adapters/permission-file.js";
import { createEarlyService, handleHandshake } from "../provider/adapters/plugin/early-server.js";
import type { Construct } from "../provider/adapters/plugin/service.js";
import { EngineLease } from "../recovery/engine-lease.js";
import { openJournal } from "../recovery/home-journal.js";
import { follow, parseEngineAddress } from "../recovery/parent-watchdog.js";

async function main(argv: readonly string[]): Promise<void> {
  const argument = argv.find((arg) => parseEngineAddress(arg) !== undefined);
  let engine: string | undefined;
  const print = (line: string): void => {
    // eslint-disable-next-line no-restricted-syntax -- the engine shows what a provider writes there
    process.stderr.write(`${stripControls(line)}\n`);
  };
  const env = process.env;
  const lease = new EngineLease(env);
  const journal = openJournal({ env, print, engine: () => engine }, lease);
  const onEngine = (text: string): void => {
    const address = parseEngineAddress(text);
    if (address === undefined || engine === text) return;
    engine = text;
    follow(address, () => process.exit(1));
  };

  const plan = { permitted: readPermittedOperations(env), planned: openPlannedArguments(env) };
  const environment = { env, print, permit: lease, ...plan, readState: lease.readState };
  let loaded: Promise<Readonly<Record<string, unknown>>> | undefined;
  const load = () => (loaded ??= loadPlugin());
  async function loadPlugin() {
    const [{ Run }, { PluginService }] = await Promise.all([
      import("../provider/adapters/provider-run.js"),
      import("../provider/adapters/plugin/service.js"),
    ]);
    const run = new Run(environment, () => journal);
    return new PluginService(run, readSchema, onEngine, constructOnDemand).service[1];
  }
  const { port } = await serve([createEarlyService(load, { handshake: handleHandshake(onEngine) })]);
  // eslint-disable-next-line no-restricted-syntax -- the engine reads the port as the first line
  process.stdout.write(`${port}\n`);
  if (argument !== undefined) onEngine(argument);
  // Delays the rest, so that it does not delay the response to the engine's first request.
  setTimeout(() => void load(), 50);
}

/** Loads what reads workspace files once a program has a component. */
const constructOnDemand: Construct = async (request, run) =>
  (await import("./construct.js")).construct(request, run);

/** Reads the schema of the package, which scripts/assemble.mjs copies next to the bundle of this file. */
function readSchema(): string {
  return readFileSync(new URL("pulumi.schema.json", import.meta.url), "utf8");
}

/** Makes V8 prefer a small heap to speed, because a provider mostly waits for the service, and runs alongside every Pulumi program. */
function saveMemory(): void {
  // Optimizing undici's HTTP parser, which is WebAssembly, takes 30 MB and saves a microsecond per response.
  setFlagsFromString("--liftoff-only");
  // Collects garbage when the heap has grown by a fifth, and does not enlarge the space for new objects.
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--semi-space-growth-factor=1");
}

saveMemory();
void main(process.argv.slice(2));
