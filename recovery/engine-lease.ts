/** The record of a lock under plain Pulumi, where the provider is the only part of ours that runs: it renews the one of its engine. */
import { readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { Lease } from "./lease.js";
import type { LockStore } from "./lock-store.js";
import { lockedStacks, openLocks } from "./open-locks.js";
import { parentOf } from "./process-owner.js";

type Env = Readonly<Record<string, string | undefined>>;

export class EngineLease {
  private opening: Promise<Lease | undefined> | undefined;
  private lease: Lease | undefined;

  constructor(private readonly env: Env) {}

  /** Makes sure that the engine still has its lock, if it has one. A preview has none. */
  readonly ensure = (): Promise<void> | undefined => {
    if (this.lease) return this.lease.ensure();
    this.opening ??= this.open().catch(() => undefined);
    return this.opening.then((lease) => (this.lease = lease)?.ensure());
  };

  async end(): Promise<void> {
    await (await this.opening)?.end();
  }

  /** Nothing tells a provider its stack, so this looks for the lock of its engine. */
  private async open(): Promise<Lease | undefined> {
    const backend = backendOf(this.env);
    if (backend === undefined) return undefined;
    const parents = parentsOf(process.pid);
    for (const stack of await lockedStacks(backend, this.env)) {
      const store = await openLocks(backend, stack, this.env);
      const lock = store && (await lockOf(parents, store));
      if (store === undefined || lock === undefined) continue;
      const [name, pid] = lock;
      return new Lease(store, { pid, signal: (signal) => send(pid, signal) }, name);
    }
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function parentsOf(process: number): ReadonlySet<number> {
  const parents = new Set<number>();
  for (let pid = parentOf(process); pid !== undefined && pid > 0; pid = parentOf(pid)) parents.add(pid);
  return parents;
}

/** The lock of one of the processes of this machine. */
async function lockOf(
  parents: ReadonlySet<number>,
  store: LockStore,
): Promise<readonly [name: string, pid: number] | undefined> {
  for (const [name, lock] of await store.locks())
    if (lock.pid !== undefined && parents.has(lock.pid) && lock.hostname === hostname())
      return [name, lock.pid];
  return undefined;
}

/** The backend of the environment, or else of the login. One that only a Pulumi.yaml names is not found. */
function backendOf(env: Env): string | undefined {
  if (env["PULUMI_BACKEND_URL"]) return env["PULUMI_BACKEND_URL"];
  const folder = env["PULUMI_CREDENTIALS_PATH"] || env["PULUMI_HOME"] || join(homedir(), ".pulumi");
  try {
    const { current } = JSON.parse(readFileSync(join(folder, "credentials.json"), "utf8")) as {
      current?: string;
    };
    return current;
  } catch {
    return undefined;
  }
}
