/** Starts the emulator in another process, so that its time and memory are not measured. Needs a build. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { execa } from "execa";
import type { JournalEntry, Seed, Settings } from "../../emulator/index.js";
import { type ObjectStore, startObjectStore } from "../../test/object-store.js";

export const commandFile = "dist/bin/workspacectl.js";

export const LATENCY_MS = 30;
/** Time from a request to the bucket to its response. */
export const BUCKET_MS = 25;
/** Settings of a service that is not on this machine. */
export const remote: Partial<Settings> = { latencyMs: LATENCY_MS, echoMemberEmail: true };

export interface Service {
  readonly baseUrl: string;
  readonly token: string;
  /** Folder for files of the measurement, which ends with the service. */
  readonly folder: string;
  /** Environment of a command that uses the service, and nothing of this machine's user. */
  readonly env: NodeJS.ProcessEnv;
  /** Returns the requests since the last call. */
  readonly requests: () => Promise<readonly JournalEntry[]>;
  close(): void;
}

export interface ServiceOptions {
  readonly seed?: Seed;
  readonly settings?: Partial<Settings>;
  /** Folder of the data. Default: in memory. */
  readonly data?: string;
}

export async function startService({ seed, settings = {}, data }: ServiceOptions = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "bench-service-"));
  const seedFile = join(folder, "seed.json");
  if (seed !== undefined) writeFileSync(seedFile, JSON.stringify(seed));
  const args = ["emulator", "--json", "--control", "--rate-limit", "1000000000"];
  if (seed !== undefined) args.push("--seed", seedFile);
  if (data !== undefined) args.push("--data", data);
  const child = execa(process.execPath, [commandFile, ...args], { buffer: false, reject: false });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { baseUrl, token } = JSON.parse(line) as { baseUrl: string; token: string };
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    return (await fetch(`${baseUrl}/_control${path}`, { method, ...sent })).json();
  };
  await control("PATCH", "/settings", settings);
  return {
    baseUrl,
    token,
    folder,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PULUMI_HOME: join(folder, "pulumi-home"),
      PULUMI_CONFIG_PASSPHRASE: "bench",
      WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
      WORKSPACE_AUTOMATION_TOKEN: token,
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "journal"),
      WORKSPACE_AUTOMATION_CREDENTIALS: join(folder, "credentials.json"),
    },
    async requests() {
      const { requests } = (await control("GET", "/journal")) as { requests: JournalEntry[] };
      await control("DELETE", "/journal");
      return requests;
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a service, and a bucket for the states of the commands that use it. The caller closes both. */
export async function startServiceWithBucket(
  options: ServiceOptions,
): Promise<{ readonly service: Service; readonly store: ObjectStore }> {
  const store = await startObjectStore(BUCKET_MS);
  const service = await startService(options);
  const env = { ...service.env, ...store.env, PULUMI_BACKEND_URL: store.backend };
  return { service: { ...service, env }, store };
}
