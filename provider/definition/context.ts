/** What the operations of one run share: the client, what was read, and which projects were renamed on the way. */
import { isServiceError, type WorkspaceAutomationClient } from "../../client/index.js";
import { noJournal, type Journal } from "../recovery/create-journal.js";
import { Reads } from "../crud/read-cache.js";
import type { Rename } from "../crud/renames.js";
import { isImporting } from "../crud/import-mode.js";

/** Arguments and outputs of an object. */
type State = Readonly<Record<string, unknown>>;

/** An object that another one holds in a list, in the words of its own type. */
export interface ListedObject {
  /** Resource type that it would have by itself. */
  readonly type: string;
  /** What tells it apart in the list. */
  readonly identity: unknown;
  /** Arguments and outputs, as the state of an object of its own would have them. */
  readonly state: State;
}

/** What an object says of the list below it. */
export interface Holding {
  /** Argument that holds the list. */
  readonly argument: string;
  /** Key of the list. */
  readonly list: string;
  /** Is the list held as an argument now? */
  readonly held: boolean;
  /** The objects that are held, or were until the declaration changed: taking one from the list deletes it. */
  readonly objects: readonly ListedObject[];
}

export function addressOf(baseUrl: string, workspace: string): string {
  return `${baseUrl}/workspaces/${workspace}`;
}

/** The operations of one run on one workspace. */
export class Context {
  /** Lists that a resource holds as an argument, or gave up, by key. */
  readonly holdings = new Map<string, Holding>();
  private readonly working = new Map<string, Promise<unknown>>();
  private readonly renamedProjects = new Map<string, string>();
  private readonly done = new Map<string, Promise<unknown>>();

  constructor(
    readonly api: WorkspaceAutomationClient,
    /** Domain of the workspace. */
    readonly workspace: string,
    readonly baseUrl: string,
    readonly reads: Reads = new Reads(),
    readonly journal: Journal = noJournal,
    /** Told of a name that somebody changed outside (renamed.ts). */
    readonly onRenamed: (rename: Rename) => void = () => {},
    /** Told of each object that was taken over instead of made. */
    readonly adopted: (type: string, id: string) => void = () => {},
    /** Nothing may be changed: the run only takes up what is there. */
    readonly takingUp: boolean = isImporting(),
  ) {}

  /** Address of the workspace: every object's state remembers it, so that no run mistakes one workspace for another. */
  get address(): string {
    return addressOf(this.baseUrl, this.workspace);
  }

  /** Work that is done once in a run, however many ask for what comes of it. */
  once<T>(key: string, work: () => Promise<T>): Promise<T> {
    const done = (this.done.get(key) as Promise<T> | undefined) ?? work();
    this.done.set(key, done);
    return done;
  }

  /** Runs work of the same key one after the other: what the second one looks up is what the first one made. */
  oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.working.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.working.set(key, result);
    return result;
  }

  /**
   * Number of the calling user, or undefined when the token may not tell: only a refusal says so, and any other failure is
   * one of the run. Asked once, whatever comes of it.
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
   * The name under which a project is to be found now. What a resource remembers is the name from its last run;
   * a rename earlier in this run has not reached it yet.
   */
  projectName(remembered: string): string {
    let name = remembered;
    for (let hops = 0; hops < 16 && this.renamedProjects.has(name); hops++) {
      name = this.renamedProjects.get(name) ?? name;
    }
    return name;
  }

  /** The project that an object belongs to, under its name of now. */
  projectOf({ project }: { readonly project?: string | undefined }): string {
    return this.projectName(String(project));
  }

  /** The pipeline that an object belongs to: the project's name of now, and the pipeline's number. */
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
