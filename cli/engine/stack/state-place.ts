/**
 * The place of a stack's state, for what `workspacectl` does there itself: it keeps the journal of a run beside the state, and reads the
 * state back after the run.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CliError } from "../../errors.js";
import type { Bucket } from "../../../recovery/bucket.js";
import { BucketStore } from "../../../recovery/bucket-store.js";
import { isBucketAddress, openBucket } from "../../../recovery/open-bucket.js";
import { FolderStore, journalsIn, namesIn, type JournalStore } from "../../../recovery/stores.js";
import {
  hasOtherForm,
  isPlainLayout,
  plainStateFile,
  pulumiFolder,
  stackNamesIn,
  stacksOf,
  type StackLocation,
} from "./state-files.js";
import type { Deployment } from "./state.js";

export interface StatePlace {
  readonly journal: JournalStore;
  /** The text of the state; undefined when there is none. */
  read(): Promise<string | undefined>;
  /** The text of the tags of the stack; undefined when it has none. */
  readTags(): Promise<string | undefined>;
  writeTags(text: string): Promise<void>;
  /** Copies the state. The copy stays until the next state was read back. @throws {Error} when there is no space for it */
  snapshot(): void;
  readonly hasSnapshot: boolean;
  /** Puts the copy in the place of a state that cannot be read. */
  restore(): void;
  dropSnapshot(): void;
}

type Env = Readonly<Record<string, string | undefined>>;

/** @returns why there is no such place: a sentence's end after "because" */
export async function placeOf(location: StackLocation, env: Env): Promise<StatePlace | string> {
  const folder = pulumiFolder(location);
  if (folder !== undefined)
    return hasOtherForm(folder, location) ? COMPRESSED : new FolderPlace(folder, location);
  const { backendUrl } = location;
  if (/^https?:/.test(backendUrl)) return "Pulumi's service keeps a journal of its own";
  if (!isBucketAddress(backendUrl)) return "its journal can only be in a folder, a bucket or PostgreSQL";
  if (env["PULUMI_DIY_BACKEND_GZIP"] || env["PULUMI_SELF_MANAGED_STATE_GZIP"]) return COMPRESSED;
  try {
    return new BucketPlace(await openBucket(backendUrl, env), location);
  } catch (error) {
    return `${(error as Error).message} for its journal`;
  }
}

const COMPRESSED = "the state is not an uncompressed file";

class FolderPlace implements StatePlace {
  readonly journal: JournalStore;
  private readonly copy: string;
  private readonly state: string;
  private readonly tags: string;

  constructor(folder: string, location: StackLocation) {
    const own = join(folder, journalsIn(location.project, location.stack));
    this.journal = new FolderStore(own);
    this.copy = join(own, "state-at-start.json");
    this.state = plainStateFile(folder, location);
    this.tags = this.state.replace(/json$/, "pulumi-tags");
    if (existsSync(`${own}.jsonl`))
      throw new CliError(
        `a run on stack ${location.stack} was killed, and only the release that ran it reads its journal ${own}.jsonl: run ` +
          '"workspacectl preview" once with that release (before 0.2)',
      );
  }

  read(): Promise<string | undefined> {
    return Promise.resolve(textOf(this.state));
  }

  readTags(): Promise<string | undefined> {
    return Promise.resolve(textOf(this.tags));
  }

  writeTags(text: string): Promise<void> {
    writeFileSync(`${this.tags}.tmp`, text, { mode: 0o600 });
    renameSync(`${this.tags}.tmp`, this.tags);
    // It has the checksum of the earlier text, and Pulumi does not need it.
    rmSync(`${this.tags}.attrs`, { force: true });
    return Promise.resolve();
  }

  snapshot(): void {
    mkdirSync(dirname(this.copy), { recursive: true, mode: 0o700 });
    copyFileSync(this.state, `${this.copy}.tmp`);
    renameSync(`${this.copy}.tmp`, this.copy);
  }

  get hasSnapshot(): boolean {
    return existsSync(this.copy);
  }

  /** Needs no space on the disk. */
  restore(): void {
    renameSync(this.copy, this.state);
    // It has the checksum of the text that cannot be read, and Pulumi does not need it.
    rmSync(`${this.state}.attrs`, { force: true });
  }

  dropSnapshot(): void {
    rmSync(this.copy, { force: true });
    removeEmpty(dirname(this.copy));
  }
}

/** A bucket replaces an object in one step, so a copy is not needed. */
class BucketPlace implements StatePlace {
  readonly hasSnapshot = false;
  readonly journal: JournalStore;
  private readonly state: string;
  private readonly tags: string;

  constructor(
    private readonly bucket: Bucket,
    { project, stack }: StackLocation,
  ) {
    this.journal = new BucketStore(bucket, `.pulumi/${journalsIn(project, stack)}/`);
    this.state = `.pulumi/stacks/${project}/${stack}.json`;
    this.tags = `.pulumi/stacks/${project}/${stack}.pulumi-tags`;
  }

  read(): Promise<string | undefined> {
    return this.bucket.text(this.state);
  }

  readTags(): Promise<string | undefined> {
    return this.bucket.text(this.tags);
  }

  writeTags(text: string): Promise<void> {
    return this.bucket.put(this.tags, text);
  }

  snapshot(): void {}

  restore(): void {}

  dropSnapshot(): void {}
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function removeEmpty(folder: string): void {
  if (existsSync(folder) && namesIn(folder).length === 0) rmSync(folder, { recursive: true });
}

/** The objects of a state; undefined when its text is no state. */
export function deploymentIn(text: string | undefined): Deployment | undefined {
  try {
    const { checkpoint } = JSON.parse(text ?? "") as { checkpoint?: { latest?: Deployment | null } };
    return checkpoint && (checkpoint.latest ?? {});
  } catch {
    return undefined;
  }
}

/** Reads a state without the CLI, which takes a third of a second. @returns undefined where only the CLI finds it */
export async function stateText(location: StackLocation, env: Env): Promise<string | undefined> {
  const place = await placeOf(location, env);
  return typeof place === "string" ? undefined : place.read();
}

/** The names of a project's stacks, by their files. @returns undefined where only the CLI finds them */
export async function stacksAt(
  { backendUrl, project }: Omit<StackLocation, "stack">,
  env: Env,
): Promise<readonly string[] | undefined> {
  const folder = pulumiFolder({ backendUrl });
  if (folder !== undefined) return stackNamesIn(folder, project);
  if (!isBucketAddress(backendUrl)) return undefined;
  try {
    const bucket = await openBucket(backendUrl, env);
    const states = `.pulumi/stacks/${project}/`;
    const [meta, keys] = await Promise.all([bucket.text(".pulumi/meta.yaml"), bucket.list(states)]);
    if (isPlainLayout(meta)) return stacksOf(keys.map((key) => key.slice(states.length)));
    return meta === undefined && (await bucket.list(".pulumi/stacks/")).length === 0 ? [] : undefined;
  } catch {
    return undefined;
  }
}
