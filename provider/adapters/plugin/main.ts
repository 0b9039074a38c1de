/**
 * The program `pulumi-resource-workspace-automation`, which Pulumi's engine starts with its own address as an argument: serves the
 * plugin on a port of the loopback interface, prints the port, and ends with the engine.
 */
import { readFileSync } from "node:fs";
import { plain } from "../../../client/printable.js";
import { journalFolder } from "../../recovery/create-journal.js";
import { endWithSignal, FileJournal } from "../../recovery/file-journal.js";
import { engineAddress, follow } from "../../recovery/parent-watchdog.js";
import { serve } from "../grpc.js";
import { earlyService, handshake } from "./early.js";

async function main(argv: readonly string[]): Promise<void> {
  const given = argv.find((arg) => engineAddress(arg) !== undefined);
  let engine: string | undefined;
  const print = (line: string): void => {
    // eslint-disable-next-line no-restricted-syntax -- the engine shows what a provider writes there
    process.stderr.write(`${plain(line)}\n`);
  };
  const env = process.env;
  const journal = new FileJournal(journalFolder(env), env, print, () => engine);
  endWithSignal(journal);
  const onEngine = (text: string): void => {
    const address = engineAddress(text);
    if (address === undefined || engine === text) return;
    engine = text;
    follow(address, () => process.exit(1));
  };

  const world = { env, print, journal: () => journal, schema, onEngine };
  let loaded: Promise<Readonly<Record<string, unknown>>> | undefined;
  const load = () =>
    (loaded ??= import("./service.js").then(({ pluginService }) => pluginService(world).service[1]));
  const { port } = await serve([earlyService(load, { handshake: handshake(onEngine) })]);
  // eslint-disable-next-line no-restricted-syntax -- the engine reads the port as the first line
  process.stdout.write(`${port}\n`);
  if (given !== undefined) onEngine(given);
  // The engine's first request is answered before the rest is read.
  setTimeout(() => void load(), 50);
}

/** It lies beside the bundle that is made of this file (scripts/bundle.mjs). */
function schema(): string {
  return readFileSync(new URL("pulumi.schema.json", import.meta.url), "utf8");
}

void main(process.argv.slice(2));
