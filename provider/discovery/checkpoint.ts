/**
 * Stores the responses of a discovery, so that the next one only reads the rest if this one is interrupted. Each list or
 * object has a file of its own, so that a killed run loses nothing. An incomplete file is ignored. Only the user can read the
 * files. A response with a secret in plaintext is not stored.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import { ServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import type { ReadCacheStore } from "../../resources/definition/read-cache.js";
import { listSecretsIn } from "../../resources/definition/secrets/mask.js";
import type { Connection } from "../connection/connection.js";

const CHECKPOINT_VARIABLE = "WORKSPACE_AUTOMATION_ANSWERS";
type Env = Readonly<Record<string, string | undefined>>;

/** The folder of all checkpoints. */
export function getCheckpointFolder(env: Env = process.env): string {
  return env[CHECKPOINT_VARIABLE] || join(envPaths("workspacectl", { suffix: "" }).log, "answers");
}

/** Older responses no longer describe the workspace. */
const EXPIRES_AFTER = 24 * 60 * 60 * 1000;

/** The beginning of an encrypted value, as the service shows it. */
const ENCRYPTED = "secure!";

/** Version of the files and of the meaning of their keys. */
const FORMAT = 2;

/** The responses of an earlier run that were used. */
export interface Recalled {
  readonly answers: number;
  /** When the first and the last of them were read. */
  readonly from: Date;
  readonly to: Date;
}

export class Checkpoint implements ReadCacheStore {
  private readonly folder: string;
  /** Names of the files of earlier runs and of this one. Another run at the same time has its own. */
  private readonly files: Set<string>;
  /** When the responses that were used were read. */
  private readonly used: number[] = [];

  /**
   * @param root the folder of all checkpoints
   * @param subject identifies the discovery: the same subject has the same responses
   * @param fresh ignores earlier responses
   */
  constructor(root: string, subject: readonly unknown[], fresh: boolean) {
    dropExpired(root);
    this.folder = join(root, hash(JSON.stringify([FORMAT, ...subject])));
    this.files = new Set(existsSync(this.folder) ? readdirSync(this.folder) : []);
    if (fresh) this.drop();
  }

  /** The number of stored responses. */
  get kept(): number {
    return this.files.size;
  }

  load(key: string): object | undefined {
    const file = join(this.folder, hash(key));
    try {
      const response = JSON.parse(readFileSync(file, "utf8")) as object;
      this.used.push(statSync(file).mtimeMs);
      return response;
    } catch {
      return undefined; // never stored, or incomplete
    }
  }

  save(key: string, response: object): void {
    if (listSecretsIn(response).some((secret) => !String(secret).startsWith(ENCRYPTED))) return;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const file = hash(key);
    try {
      writeFileSync(join(this.folder, file), JSON.stringify(response), { mode: 0o600 });
      this.files.add(file);
    } catch (error) {
      // Another run has just removed the empty folder.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }

  get recalled(): Recalled | undefined {
    if (this.used.length === 0) return undefined;
    const [from = 0, ...later] = this.used.toSorted((a, b) => a - b);
    return { answers: this.used.length, from: new Date(from), to: new Date(later.at(-1) ?? from) };
  }

  /** Removes the responses: the discovery is complete. */
  drop(): void {
    for (const file of this.files) rmSync(join(this.folder, file), { force: true });
    this.files.clear();
    removeIfEmpty(this.folder);
  }
}

/** How a discovery resumes an interrupted one of the same user, workspace and scope. */
export interface Resume {
  /** The folder of all checkpoints. */
  readonly folder: string;
  /** What is read: another scope has its own checkpoint. */
  readonly scope: readonly unknown[];
  /** Ignores earlier responses. */
  readonly fresh: boolean;
  /** Receives the number of responses in the checkpoint, as soon as it is known. */
  readonly onKept?: (answers: () => number) => void;
}

export async function resumeCheckpoint(
  context: Context,
  connection: Connection,
  { folder, scope, fresh, onKept }: Resume,
): Promise<Checkpoint> {
  const subject = [context.address, await identifyCaller(context, connection), scope];
  const checkpoint = new Checkpoint(folder, subject, fresh);
  context.reads.store = checkpoint;
  onKept?.(() => checkpoint.kept);
  return checkpoint;
}

/** Identifies the user, since others may see other objects. A token that may not read its user identifies itself. */
async function identifyCaller(context: Context, { token, name }: Connection): Promise<unknown> {
  try {
    const user = (await context.reads.single("user", () => context.api.user.get())) as { id?: number };
    if (user.id !== undefined) return user.id;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "denied") throw error;
  }
  return typeof token === "string" ? hash(token) : name;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function dropExpired(root: string): void {
  if (!existsSync(root)) return;
  for (const folder of readdirSync(root).map((name) => join(root, name))) {
    for (const file of listFilesIn(folder))
      if (Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > EXPIRES_AFTER)
        rmSync(file, { force: true });
    removeIfEmpty(folder);
  }
}

/** Another run may remove the folder at this moment. */
function listFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another run has its own responses there, or has removed it.
  }
}
