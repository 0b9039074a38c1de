/**
 * The place of a stack's state, for what `workspacectl` does there itself: it keeps the journal of a run beside the state, and reads the
 * state back after the run.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Bucket } from "../../../recovery/bucket.js";
import { bucketCredentials } from "../../../recovery/bucket-address.js";
import { BucketStore } from "../../../recovery/bucket-store.js";
import { bucketAt } from "../../../recovery/open-locks.js";
import { FolderStore, journalsIn, namesIn, type JournalStore } from "../../../recovery/stores.js";
import { hasOtherForm, plainStateFile, pulumiFolder, type StackLocation } from "./state-files.js";
import type { Deployment } from "./state.js";

export interface StatePlace {
  readonly journal: JournalStore;
  /** The text of the state; undefined when there is none. */
  read(): Promise<string | undefined>;
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
  if (!backendUrl.startsWith("s3://")) return "its journal can only be in a folder or in an S3 bucket";
  if (env["PULUMI_DIY_BACKEND_GZIP"] || env["PULUMI_SELF_MANAGED_STATE_GZIP"]) return COMPRESSED;
  try {
    return new BucketPlace(await bucketAt(backendUrl, bucketCredentials(env)), location);
  } catch (error) {
    return `${(error as Error).message} for its journal`;
  }
}

const COMPRESSED = "the state is not an uncompressed file";

class FolderPlace implements StatePlace {
  readonly journal: JournalStore;
  private readonly copy: string;
  private readonly state: string;

  constructor(folder: string, location: StackLocation) {
    const own = join(folder, journalsIn(location.project, location.stack));
    this.journal = new FolderStore(own);
    this.copy = join(own, "state-at-start.json");
    this.state = plainStateFile(folder, location);
    // The journal of a run of an earlier release that was killed.
    if (existsSync(`${own}.jsonl`)) {
      mkdirSync(own, { recursive: true, mode: 0o700 });
      renameSync(`${own}.jsonl`, join(own, "earlier.jsonl"));
    }
  }

  read(): Promise<string | undefined> {
    return Promise.resolve(existsSync(this.state) ? readFileSync(this.state, "utf8") : undefined);
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

  constructor(
    private readonly bucket: Bucket,
    { project, stack }: StackLocation,
  ) {
    this.journal = new BucketStore(bucket, `.pulumi/${journalsIn(project, stack)}/`);
    this.state = `.pulumi/stacks/${project}/${stack}.json`;
  }

  async read(): Promise<string | undefined> {
    const { status, text } = await this.bucket.get(this.state);
    if (status === 404) return undefined;
    if (status === 200) return text;
    throw new Error(`the store responded with ${status} for the state`);
  }

  snapshot(): void {}

  restore(): void {}

  dropSnapshot(): void {}
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
