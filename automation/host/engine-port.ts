/**
 * The port at which Pulumi's engine finds the program, the provider and the reader of events of an operation. It is open before they are
 * loaded, because Pulumi takes longer to start than they do.
 */
import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { listen, type Server } from "../../provider/adapters/grpc-server.js";
import { type ProviderEngine, providerPackage } from "../../provider/index.js";
import { isServiceCredential } from "../../trust/secret-variables.js";

export interface EnginePort {
  readonly server: Server;
  /** Flags of the operation. */
  readonly flags: readonly string[];
  /** Environment of the engine. */
  readonly variables: Readonly<Record<string, string>>;
  /** Call it with the engine's process id. Until then, nobody can call. */
  readonly started: (engine: number) => void;
}

/**
 * Operations at a time while each of them waits for the journal first; never less than Pulumi's own default. The client limits the requests
 * to the service in any case.
 */
const MORE_AT_ONCE = String(Math.max(32, 4 * availableParallelism()));

interface Operation {
  readonly env: Readonly<Record<string, string>>;
  /** Engine of the file's resources; undefined for a user's program: Pulumi then starts program and providers itself. */
  readonly engine: ProviderEngine | undefined;
  /** Pulumi writes the state only when it has ended, because the journal secures it until then. */
  readonly writesStateAtEnd?: boolean;
  /** Operations wait for a journal that is not on this machine. */
  readonly waitsForJournal?: boolean;
  readonly onEvent: (event: EngineEvent) => void;
}

export async function openEnginePort({
  env,
  engine,
  writesStateAtEnd = false,
  waitsForJournal = false,
  onEvent,
}: Operation): Promise<EnginePort> {
  let started: EnginePort["started"] = () => {};
  const pid = new Promise<number>((resolve) => (started = resolve));
  const onRefused = printOnce((line) => onEvent(createLineEvent(line)));
  const server = await listen({ engine: pid, onRefused });
  const address = `127.0.0.1:${server.port}`;
  const events = ["--event-log", `tcp://${address}`, "--exec-kind"];
  if (engine === undefined) return { server, started, flags: [...events, "auto.local"], variables: env };
  return {
    server,
    started,
    flags: [`--client=${address}`, ...events, "auto.inline"],
    variables: {
      ...withoutCredentials(env),
      PULUMI_DEBUG_PROVIDERS: `${providerPackage[engine]}:${server.port}`,
      ...(writesStateAtEnd ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {}),
      ...(waitsForJournal ? { PULUMI_PARALLEL: env["PULUMI_PARALLEL"] ?? MORE_AT_ONCE } : {}),
    },
  };
}

/** Passes on the first text only: any user of the machine can cause further ones. */
function printOnce(print: (text: string) => void): (text: string) => void {
  let isFirst = true;
  return (text) => {
    if (isFirst) print(text);
    isFirst = false;
  };
}

/** Removes credentials of the service: only the provider needs them, and it runs in this process. */
function withoutCredentials(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isServiceCredential(name)));
}

/** Wraps a line of ours like the engine's event for the output of a plugin. */
export function createLineEvent(message: string): EngineEvent {
  return {
    sequence: 0,
    timestamp: Math.floor(Date.now() / 1000),
    diagnosticEvent: { message, color: "never", severity: "info#err" },
  };
}

/** From so many objects on, memory counts for more than time, which grows by less than a tenth. */
const MANY_OBJECTS = 1_000;

/**
 * Makes this process collect its garbage earlier.
 * @returns variables with which the engine does so, too
 */
export function saveMemory(objects: number, env: NodeJS.ProcessEnv): Record<string, string> {
  if (objects < MANY_OBJECTS) return {};
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--semi-space-growth-factor=1");
  // Percent by which Go's heap may grow until the next collection.
  return { GOGC: env["GOGC"] ?? "25" };
}
