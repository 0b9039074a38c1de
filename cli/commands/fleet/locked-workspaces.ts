/** Finds the workspaces of a fleet whose stacks are locked, and releases the locks of lost runs. */
import { findBackend } from "../../../automation/stack/backend.js";
import { openLocksOf, startWatching } from "../../../automation/stack/locks.js";
import { findProject } from "../../../automation/stack/project.js";
import { LockWatch } from "../../../recovery/lost-locks.js";
import { listLockedStacks } from "../../../recovery/open-locks.js";
import type { Io } from "../../../reports/io.js";
import type { FleetEntry } from "./fleet-file.js";

type EnvironmentOf = (entry: FleetEntry) => NodeJS.ProcessEnv;

/** Whether the stack of each entry is locked. */
export function findLocked(
  entries: readonly FleetEntry[],
  environmentOf: EnvironmentOf,
): Promise<readonly boolean[]> {
  const lists = new Map<string, ReturnType<typeof listLockedStacks>>();
  return Promise.all(
    entries.map(async (entry) => {
      const env = environmentOf(entry);
      try {
        const { project, stack, backendUrl } = locateStack(entry, env);
        const list = lists.get(backendUrl.whole) ?? listLockedStacks(backendUrl, env);
        lists.set(backendUrl.whole, list);
        return (await list).some((one) => one.project === project && one.stack === stack);
      } catch {
        // Its process reports the problem.
        return false;
      }
    }),
  );
}

/**
 * Puts those first whose stacks are locked. The run that has the lock may be lost, and whether it is can be seen only after a minute, in which the
 * others run.
 */
export async function putLockedFirst(
  entries: readonly FleetEntry[],
  environmentOf: EnvironmentOf,
): Promise<readonly FleetEntry[]> {
  const isLocked = await findLocked(entries, environmentOf);
  return [
    ...entries.filter((_, index) => isLocked[index]),
    ...entries.filter((_, index) => !isLocked[index]),
  ];
}

/** Whether a stack is locked; `unknown` if only a person can find out whether the run that has the lock is still active. */
export type LockState = "free" | "held" | "unknown";

/** Observes the locks of workspaces for as long as a machine takes part in a run. */
export class LockedWorkspaces {
  private readonly watches = new Map<FleetEntry, Promise<LockWatch | undefined>>();

  /** @param readClock monotonic, in milliseconds */
  constructor(
    private readonly environmentOf: EnvironmentOf,
    private readonly readClock: () => number,
    private readonly io: Io,
  ) {}

  /** Looks at the locks of workspaces, and releases those whose runs are lost. */
  async look(entries: readonly FleetEntry[]): Promise<readonly LockState[]> {
    const isLocked = await findLocked(entries, this.environmentOf);
    return Promise.all(
      entries.map(async (entry, index): Promise<LockState> => {
        if (!isLocked[index]) return "free";
        const watch = this.watches.get(entry) ?? this.watch(entry);
        this.watches.set(entry, watch);
        const held = await (await watch)?.look();
        if (held === undefined) return "free";
        return held.isUnknown ? "unknown" : "held";
      }),
    );
  }

  private async watch(entry: FleetEntry): Promise<LockWatch | undefined> {
    const env = this.environmentOf(entry);
    const location = locateStack(entry, env);
    const store = await openLocksOf(location, env);
    return store && new LockWatch(store, startWatching(location, this.io), this.readClock);
  }
}

function locateStack({ file, stack }: FleetEntry, env: NodeJS.ProcessEnv) {
  const project = findProject(file);
  const { url } = findBackend(project, env);
  return { project: project.name, stack, backendUrl: url };
}
