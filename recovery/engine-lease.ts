/** The record of a lock under plain Pulumi, where the provider is the only part of ours that runs: it renews the one of its engine. */
import { hostname } from "node:os";
import { findFolder } from "../trust/backend.js";
import { findStateAddress } from "./find-state-address.js";
import { Lease } from "./lease.js";
import type { LockStore } from "./lock-store.js";
import { openPlace } from "./open-bucket.js";
import { openJournals } from "./open-journal.js";
import { listLockedStacks, openLocks } from "./open-locks.js";
import { findParent } from "./process-owner.js";
import type { JournalStore } from "./stores.js";

type Env = Readonly<Record<string, string | undefined>>;

interface Locked {
  readonly lease: Lease;
  /** Where the journals of the stack are. */
  readonly journals: JournalStore | undefined;
  /** Whether other machines find them there. */
  readonly isShared: boolean;
  readonly readState: () => Promise<string | undefined>;
}

export class EngineLease {
  private opening: Promise<Locked | undefined> | undefined;
  private lease: Lease | undefined;

  constructor(private readonly env: Env) {}

  /** Makes sure that the engine still has its lock, if it has one. A preview has none. */
  readonly ensure = (): Promise<void> | undefined => {
    if (this.lease) return this.lease.ensure();
    return this.opened().then((locked) => (this.lease = locked?.lease)?.ensure());
  };

  /** Whether that is still so. */
  get isCertain(): boolean {
    return this.lease?.isCertain ?? true;
  }

  /** What other runs have left next to the state. */
  readonly journals = async (): Promise<readonly JournalStore[]> => {
    const store = (await this.opened())?.journals;
    return store === undefined ? [] : [store];
  };

  /** Where a journal survives this machine: next to the state, if that is in a bucket. */
  readonly sharedJournals = async (): Promise<JournalStore | undefined> => {
    const locked = await this.opened();
    return locked?.isShared ? locked.journals : undefined;
  };

  /** The text of the engine's state; undefined where it cannot be read, as in Pulumi's own service. */
  readonly readState = async (): Promise<string | undefined> => (await this.opened())?.readState();

  async end(): Promise<void> {
    await (await this.opening)?.lease.end();
  }

  private opened(): Promise<Locked | undefined> {
    return (this.opening ??= this.open().catch(() => undefined));
  }

  /** Nothing tells a provider its stack, so this looks for the lock of its engine. */
  private async open(): Promise<Locked | undefined> {
    const backend = await findStateAddress(this.env);
    if (backend === undefined) return undefined;
    const parents = listParents(process.pid);
    for (const stack of await listLockedStacks(backend, this.env)) {
      const store = await openLocks(backend, stack, this.env);
      const lock = store && (await findLockOf(parents, store));
      if (store === undefined || lock === undefined) continue;
      const [name, pid] = lock;
      const lease = new Lease(store, { pid, signal: (signal) => send(pid, signal) }, name);
      const journals = await openJournals(backend, stack, this.env);
      const file = `.pulumi/stacks/${stack.project}/${stack.stack}.json`;
      const readState = async () => (await openPlace(backend, this.env))?.text(file);
      return { lease, journals, isShared: findFolder(backend) === undefined, readState };
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

function listParents(process: number): ReadonlySet<number> {
  const parents = new Set<number>();
  for (let pid = findParent(process); pid !== undefined && pid > 0; pid = findParent(pid)) parents.add(pid);
  return parents;
}

/** The lock of one of the processes of this machine. */
async function findLockOf(
  parents: ReadonlySet<number>,
  store: LockStore,
): Promise<readonly [name: string, pid: number] | undefined> {
  for (const [name, lock] of await store.locks())
    if (lock.pid !== undefined && parents.has(lock.pid) && lock.hostname === hostname())
      return [name, lock.pid];
  return undefined;
}
