/**
 * The place of a stack's state, for what `workspacectl` does there itself: it keeps the journal of a run next to the state, and reads the
 * state back after the run.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Bucket, NotMadeYet } from "../../recovery/bucket.js";
import { BucketStore } from "../../recovery/bucket-store.js";
import { FolderBucket } from "../../recovery/folder-bucket.js";
import { isBucketAddress, openBucket } from "../../recovery/open-bucket.js";
import { FolderStore, type JournalStore, listNamesIn, locateJournals } from "../../recovery/stores.js";
import { parseJsonIfValid } from "../config-files/checked-files.js";
import { AutomationError } from "../errors.js";
import {
  createEmptyState,
  type Deployment,
  findPulumiFolder,
  hasOtherForm,
  isManaged,
  isPlainLayout,
  listStacksOf,
  type StackLocation,
  stackNamesIn,
} from "./state.js";
import { findDamage } from "./state-integrity.js";

/** A copy of an earlier state, which Pulumi keeps. */
interface StateCopy {
  /** Location, for messages. */
  readonly name: string;
  /** When the state was written. */
  readonly at: string;
  readonly objects: number;
  readonly text: string;
}

/** A run that Pulumi has recorded. */
export interface RecordedRun {
  readonly about: {
    /** Such as `update` or `refresh`. */
    readonly kind: string;
    /** `succeeded`, or how it failed. */
    readonly result?: string;
    /** Seconds. */
    readonly startTime: number;
    readonly endTime: number;
    readonly message?: string;
    readonly environment?: Readonly<Record<string, string>>;
  };
  readonly state: Deployment;
}

/** @returns why there is no such place: a sentence's end after "because" */
export async function findStateStore(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
): Promise<StateStore | string> {
  const folder = findPulumiFolder(location);
  if (folder !== undefined)
    return hasOtherForm(folder, location) ? COMPRESSED : new FolderStateStore(dirname(folder), location);
  const { backendUrl } = location;
  if (backendUrl.isOfService) return "Pulumi's service keeps a journal of its own";
  if (!isBucketAddress(backendUrl)) return "its journal can only be in a folder, a bucket or PostgreSQL";
  if (env["PULUMI_DIY_BACKEND_GZIP"] || env["PULUMI_SELF_MANAGED_STATE_GZIP"]) return COMPRESSED;
  try {
    return new StateStore(await openBucket(backendUrl, env), location);
  } catch (error) {
    return `${(error as Error).message} for its journal`;
  }
}

const META = ".pulumi/meta.yaml";

const COMPRESSED = "the state is not an uncompressed file";

/** Later ones are enough, and each has to be read. */
const MOST_COPIES = 5;

export class StateStore {
  readonly journal: JournalStore;
  /** Path of the state below the place. */
  protected readonly state: string;
  private readonly tags: string;
  private readonly history: string;

  constructor(
    private readonly bucket: Bucket,
    private readonly location: StackLocation,
    journal?: JournalStore,
  ) {
    const { project, stack } = location;
    this.journal = journal ?? new BucketStore(bucket, `.pulumi/${locateJournals(project, stack)}/`);
    this.state = `.pulumi/stacks/${project}/${stack}.json`;
    this.tags = `.pulumi/stacks/${project}/${stack}.pulumi-tags`;
    this.history = `.pulumi/history/${project}/${stack}/`;
  }

  /** Location of the state, for messages. */
  get name(): string {
    return `${this.bucket.name}/${this.state}`;
  }

  /** The text of the state; undefined when there is none. */
  read(): Promise<string | undefined> {
    return this.bucket.text(this.state);
  }

  async write(text: string): Promise<void> {
    await this.bucket.put(this.state, text);
    this.removeChecksum(this.state);
  }

  /**
   * Writes the state of a new stack, with what Pulumi expects next to the first one.
   * @param salt the key of its secrets, if there is one already
   * @returns false where only Pulumi can
   */
  async create(salt: string | undefined): Promise<boolean> {
    const meta = await this.bucket.text(META);
    if (meta !== undefined && !isPlainLayout(meta)) return false;
    try {
      if (meta === undefined) await this.bucket.create(META, "version: 1\n");
      await this.bucket.create(this.state, createEmptyState(this.location, salt));
    } catch (error) {
      if (error instanceof NotMadeYet) return false;
      throw error;
    }
    return true;
  }

  /** Adds the key of its secrets to a state without any. @returns whether there was none */
  async addKey(salt: string): Promise<boolean> {
    const deployment = parseDeployment(await this.read());
    if (deployment === undefined || Object.keys(deployment).length > 0) return false;
    await this.write(createEmptyState(this.location, salt));
    return true;
  }

  /** The text of the tags of the stack; undefined when it has none. */
  readTags(): Promise<string | undefined> {
    return this.bucket.text(this.tags);
  }

  async writeTags(text: string): Promise<void> {
    await this.bucket.put(this.tags, text);
    this.removeChecksum(this.tags);
  }

  /** The backup and the states after earlier runs, the latest first. */
  async copies(): Promise<readonly StateCopy[]> {
    const runs = (await this.bucket.list(this.history)).filter((key) => key.endsWith(".checkpoint.json"));
    // Their names contain the time.
    const keys = [`${this.state}.bak`, ...runs.toSorted().reverse().slice(0, MOST_COPIES)];
    const copies: StateCopy[] = [];
    for (const key of keys) {
      const text = (await this.bucket.text(key)) ?? "";
      const deployment = parseDeployment(text);
      if (deployment === undefined || findDamage(deployment) !== undefined) continue;
      const { manifest } = deployment as { readonly manifest?: { readonly time?: string } };
      const objects = countObjectsOf(deployment);
      copies.push({ name: `${this.bucket.name}/${key}`, at: manifest?.time ?? "", objects, text });
    }
    return copies.toSorted((a, b) => b.at.localeCompare(a.at));
  }

  /** The runs that Pulumi has recorded, the latest first, each with the state after it. */
  async *runs(): AsyncGenerator<RecordedRun> {
    const end = ".history.json";
    const keys = (await this.bucket.list(this.history)).filter((key) => key.endsWith(end));
    for (const key of keys.toSorted().reverse()) {
      const about = parseJsonIfValid(await this.bucket.text(key)) as RecordedRun["about"] | undefined;
      const state = parseDeployment(await this.bucket.text(`${key.slice(0, -end.length)}.checkpoint.json`));
      if (about !== undefined && state !== undefined) yield { about, state };
    }
  }

  /** Keeps a copy of a state that is about to be replaced. @returns the location of the copy */
  async keepCopy(): Promise<string> {
    const key = `.pulumi/workspacectl/unreadable/${Date.now()}/${this.state}`;
    await this.bucket.put(key, (await this.read()) ?? "");
    return `${this.bucket.name}/${key}`;
  }

  /** Makes room for a new state. The unreadable state is renamed. @returns the location of the copy */
  async setAside(): Promise<string> {
    const copy = await this.keepCopy();
    await this.bucket.deleteAll([this.state]);
    this.removeChecksum(this.state);
    return copy;
  }

  /** Copies the state. The copy stays until the next state has been read back. @throws {Error} when there is no space for it */
  snapshot(): void {
    // A bucket replaces an object in one step, so a copy is not needed.
  }

  get hasSnapshot(): boolean {
    return false;
  }

  /** Puts the copy in the place of a state that cannot be read. */
  restore(): void {}

  dropSnapshot(): void {}

  /** Only a folder has checksums next to its objects. */
  protected removeChecksum(_key: string): void {}
}

class FolderStateStore extends StateStore {
  private readonly copy: string;
  private readonly file: string;

  constructor(
    private readonly folder: string,
    location: StackLocation,
  ) {
    const own = join(folder, ".pulumi", locateJournals(location.project, location.stack));
    super(new FolderBucket(folder), location, new FolderStore(own));
    this.copy = join(own, "state-at-start.json");
    this.file = join(folder, this.state);
    if (existsSync(`${own}.jsonl`))
      throw new AutomationError(
        `a run on stack ${location.stack} was killed, and only the release that ran it reads its journal ${own}.jsonl`,
        'run "workspacectl preview" once with that release (before 0.2)',
      );
  }

  /** Pulumi keeps one next to each object, and does not need it. */
  protected override removeChecksum(key: string): void {
    rmSync(join(this.folder, `${key}.attrs`), { force: true });
  }

  override snapshot(): void {
    mkdirSync(dirname(this.copy), { recursive: true, mode: 0o700 });
    copyFileSync(this.file, `${this.copy}.tmp`);
    renameSync(`${this.copy}.tmp`, this.copy);
  }

  override get hasSnapshot(): boolean {
    return existsSync(this.copy);
  }

  /** Needs no space on the disk. */
  override restore(): void {
    renameSync(this.copy, this.file);
    rmSync(`${this.file}.attrs`, { force: true });
  }

  override dropSnapshot(): void {
    rmSync(this.copy, { force: true });
    removeEmpty(dirname(this.copy));
  }
}

function removeEmpty(folder: string): void {
  if (existsSync(folder) && listNamesIn(folder).length === 0) rmSync(folder, { recursive: true });
}

/** The objects of a state; undefined when its text is no state. */
export function parseDeployment(text: string | undefined): Deployment | undefined {
  const { checkpoint } = (parseJsonIfValid(text) ?? {}) as { checkpoint?: { latest?: Deployment | null } };
  return checkpoint && (checkpoint.latest ?? {});
}

/** Counts the objects of a state that are not Pulumi's own. */
export function countObjectsOf({ resources = [] }: Deployment): number {
  return resources.filter(isManaged).length;
}

/** Reads a state without the CLI, which takes a third of a second. @returns undefined where only the CLI finds it */
export async function readStateText(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const store = await findStateStore(location, env);
  return typeof store === "string" ? undefined : store.read();
}

/** The names of a project's stacks, by their files. @returns undefined where only the CLI finds them */
export async function listStacksAt(
  { backendUrl, project }: Omit<StackLocation, "stack">,
  env: NodeJS.ProcessEnv,
): Promise<readonly string[] | undefined> {
  const folder = findPulumiFolder({ backendUrl });
  if (folder !== undefined) return stackNamesIn(folder, project);
  if (!isBucketAddress(backendUrl)) return undefined;
  try {
    const bucket = await openBucket(backendUrl, env);
    const states = `.pulumi/stacks/${project}/`;
    const [meta, keys] = await Promise.all([bucket.text(META), bucket.list(states)]);
    if (isPlainLayout(meta)) return listStacksOf(keys.map((key) => key.slice(states.length)));
    return meta === undefined && (await bucket.list(".pulumi/stacks/")).length === 0 ? [] : undefined;
  } catch {
    return undefined;
  }
}
