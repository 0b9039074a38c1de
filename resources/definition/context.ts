/** The context that the operations of a run share: the client, the read cache, and the projects that the run has renamed. */
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import { isServiceError, type WorkspaceAutomationClient } from "../../client/index.js";
import { type Journal, noJournal } from "../../recovery/journal.js";
import { isImportRun } from "./import-mode.js";
import { ReadCache } from "./read-cache.js";
import type { Rename } from "./renames.js";

/** Arguments and outputs of an object. */
type State = Readonly<Record<string, unknown>>;

/** An object in a list that another object owns, described as a resource of its own. */
export interface ListedObject {
  /** The resource type. */
  readonly type: string;
  /** Identifies it in the list. */
  readonly identity: unknown;
  /** Arguments and outputs. */
  readonly state: State;
}

/** The ownership of the list below an object. */
export interface Ownership {
  /** Argument that contains the list. */
  readonly argument: string;
  /** Key of the list. */
  readonly list: string;
  /** Whether the object owns the list now. */
  readonly isOwned: boolean;
  /** The objects that are owned, or were owned until the declaration changed. Removing one from the list deletes it. */
  readonly objects: readonly ListedObject[];
}

/** The objects that a checked plan removes from lists which other objects own. */
export interface PlannedRemovals {
  /**
   * @param list key of the list
   * @param identity of the object in the list
   * @param label names the object in the message
   * @throws {ProviderError} `not-in-plan` when the plan does not contain the removal
   */
  requireRemoval(list: string, identity: unknown, label: string): void;
}

export function getAddress(baseUrl: string, workspace: string): string {
  return `${baseUrl}/workspaces/${workspace}`;
}

/** The operations of one run on one workspace. */
export class Context {
  /** Lists that a resource owns or owned until now, by key. */
  readonly ownerships = new Map<string, Ownership>();
  private readonly managed = new Set<string>();
  private readonly adoptedNow = new Set<string>();
  private readonly createdNow = new Set<string>();
  private readonly deletedNow = new Set<string>();
  private readonly working = new Map<string, Promise<unknown>>();
  private readonly renamedProjects = new Map<string, string>();
  private readonly done = new Map<string, Promise<unknown>>();

  constructor(
    readonly api: WorkspaceAutomationClient,
    /** Domain of the workspace. */
    readonly workspace: string,
    readonly baseUrl: string,
    readonly reads: ReadCache = new ReadCache(),
    readonly journal: Journal = noJournal,
    /** Receives each outside rename (renamed.ts). */
    readonly onRenamed: (rename: Rename) => void = () => {},
    /** Receives each object that was adopted instead of created. */
    private readonly onAdopted: (type: string, id: string) => void = () => {},
    /** Whether the run only imports existing objects, and may not change anything. */
    readonly isImporting: boolean = isImportRun(),
    /** How the service behaves where its specification is silent, as far as it was measured. */
    readonly behavior: MeasuredBehavior = {},
    /** Receives each object that exists perhaps, but not for the calling user. */
    readonly hidden: (type: string, id: string) => void = () => {},
    /** Absent without a checked plan. */
    readonly removals?: PlannedRemovals,
    /** Whether the state certainly contains an object that the engine may not have named yet. */
    private readonly isInState: (type: string, id: string) => Promise<boolean> = () => Promise.resolve(false),
  ) {}

  /** Address of the workspace. Every object's state contains it, so that no run confuses two workspaces. */
  get address(): string {
    return getAddress(this.baseUrl, this.workspace);
  }

  /** Notes that the state contains an object, since the engine has named it. */
  noteManaged(type: string, id: string): void {
    this.managed.add(`${type} ${id}`);
  }

  /** Notes that the state no longer contains an object, because it was deleted. */
  noteDeleted(type: string, id: string): void {
    this.managed.delete(`${type} ${id}`);
    this.deletedNow.add(`${type} ${id}`);
  }

  /** Whether the state contains an object. Without a refresh, the engine names only those that it has compared. */
  manages(type: string, id: string): boolean {
    return this.managed.has(`${type} ${id}`);
  }

  /** The same, also for an object that the engine has not named. The run may have to read the state. */
  async isManaged(type: string, id: string): Promise<boolean> {
    if (this.manages(type, id)) return true;
    return !this.deletedNow.has(`${type} ${id}`) && (await this.isInState(type, id));
  }

  /** Notes that the run adopted an object instead of creating it. */
  adopted(type: string, id: string): void {
    this.adoptedNow.add(`${type} ${id}`);
    this.onAdopted(type, id);
  }

  wasAdopted(type: string, id: string): boolean {
    return this.adoptedNow.has(`${type} ${id}`);
  }

  /** Notes that the run created an object. */
  created(type: string, id: string): void {
    this.createdNow.add(`${type} ${id}`);
  }

  wasCreated(type: string, id: string): boolean {
    return this.createdNow.has(`${type} ${id}`);
  }

  /** Does work once per run, however often its result is requested. */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const begun = this.done.get(key) as Promise<T> | undefined;
    if (begun !== undefined) return begun;
    const done = work();
    this.done.set(key, done);
    // A failure, such as a lost connection, does not last.
    done.catch(() => this.done.delete(key));
    return done;
  }

  /** Does work with the same key one after the other, so that the second one finds the object that the first one has created. */
  oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.working.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.working.set(key, result);
    return result;
  }

  /**
   * The id of the calling user; undefined when the service denies the token to read it. Any other error fails the run. Requested
   * once.
   */
  callerId(): Promise<number | undefined> {
    return this.once("caller", () =>
      this.reads
        .single("user", () => this.api.user.get())
        .then(
          (user) => user.id,
          (error: unknown) => {
            if (isServiceError(error, "denied")) return undefined;
            throw error;
          },
        ),
    );
  }

  /**
   * The current name of a project. The state of a resource has the name from its last run, without the renames earlier in this run.
   */
  projectName(former: string): string {
    let name = former;
    for (let hops = 0; hops < 16 && this.renamedProjects.has(name); hops++) {
      name = this.renamedProjects.get(name) ?? name;
    }
    return name;
  }

  /** The current name of the project that an object belongs to. */
  projectOf({ project }: { readonly project?: string | undefined }): string {
    return this.projectName(String(project));
  }

  /** The pipeline that an object belongs to: the project's current name, and the pipeline's id. */
  pipelineOf(state: {
    readonly project?: string | undefined;
    readonly pipelineId: number;
  }): [project: string, pipeline: number] {
    return [this.projectOf(state), state.pipelineId];
  }

  projectRenamed(from: string, to: string): void {
    this.renamedProjects.set(from, to);
    this.renamedProjects.delete(to);
  }
}
