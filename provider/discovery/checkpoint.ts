/**
 * What an interrupted survey has read already, so that the next one asks only for the rest. One file a run, of lines that
 * are only ever appended: what is there when a run is killed, is there for the next. A line that was cut off is not read.
 * The answers are the service's own, and only the user reads them; what looks like a secret in clear is not kept.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import envPaths from "env-paths";
import type { ReadCacheStore } from "../crud/read-cache.js";
import { secretsIn } from "../definition/secrets/mask.js";

export const ANSWERS_VARIABLE = "WORKSPACE_AUTOMATION_ANSWERS";
type Env = Readonly<Record<string, string | undefined>>;

/** The folder in which answers are kept. */
export function answersFolder(env: Env = process.env): string {
  return env[ANSWERS_VARIABLE] || join(envPaths("workspacectl", { suffix: "" }).log, "answers");
}

/** Older answers are of another workspace, as it were. */
const EXPIRES_AFTER = 24 * 60 * 60 * 1000;

/** How the service shows a value that it keeps encrypted. */
const ENCRYPTED = "secure!";

/** Of the lines, and of what their keys mean. */
const FORMAT = 1;

interface Place {
  readonly descriptor: number;
  readonly start: number;
  readonly length: number;
  readonly at: number;
}

/** What of an earlier run was used. */
export interface Recalled {
  readonly answers: number;
  /** When the first and the last of them were read. */
  readonly from: Date;
  readonly to: Date;
}

export class Checkpoint implements ReadCacheStore {
  private readonly folder: string;
  private readonly places = new Map<string, Place>();
  private readonly files: string[] = [];
  private readonly descriptors: number[] = [];
  private own: number | undefined;
  private readonly used: number[] = [];
  /** How many answers are kept now. */
  kept = 0;

  /**
   * @param root the folder for all surveys
   * @param subject whose survey of what this is: the same words find the same answers
   * @param fresh forget what is there
   */
  constructor(root: string, subject: readonly unknown[], fresh: boolean) {
    dropExpired(root);
    const name = createHash("sha256")
      .update(JSON.stringify([FORMAT, ...subject]))
      .digest("base64url");
    this.folder = join(root, name);
    const files = existsSync(this.folder) ? readdirSync(this.folder).sort() : [];
    for (const file of files) {
      this.files.push(join(this.folder, file));
      if (!fresh) this.index(join(this.folder, file));
    }
    if (fresh) this.drop();
    this.kept = this.places.size;
  }

  recall(key: string): object | undefined {
    const place = this.places.get(key);
    if (place === undefined) return undefined;
    const buffer = Buffer.alloc(place.length);
    readSync(place.descriptor, buffer, 0, place.length, place.start);
    this.used.push(place.at);
    return JSON.parse(buffer.toString("utf8")) as object;
  }

  /** An answer in which a secret stands in clear is not kept: the next survey asks for it again. */
  keep(key: string, answer: object): void {
    if (secretsIn(answer).some((secret) => !String(secret).startsWith(ENCRYPTED))) return;
    this.own ??= this.open();
    writeSync(this.own, `${JSON.stringify(key)}\t${Date.now()}\t${JSON.stringify(answer)}\n`);
    this.kept += 1;
  }

  get recalled(): Recalled | undefined {
    if (this.used.length === 0) return undefined;
    const times = this.used.toSorted((a, b) => a - b);
    return {
      answers: times.length,
      from: new Date(times[0] ?? 0),
      to: new Date(times.at(-1) ?? 0),
    };
  }

  /** Nobody needs them any more. */
  drop(): void {
    this.close();
    for (const file of this.files.splice(0)) rmSync(file, { force: true });
    try {
      rmdirSync(this.folder);
    } catch {
      // Another run keeps its own there, or nothing was ever kept.
    }
  }

  close(): void {
    for (const descriptor of this.descriptors.splice(0)) closeSync(descriptor);
    this.own = undefined;
    this.places.clear();
  }

  private open(): number {
    const file = join(this.folder, `${Date.now()}-${randomUUID()}`);
    const descriptor = this.made(file);
    this.files.push(file);
    this.descriptors.push(descriptor);
    return descriptor;
  }

  private made(file: string, attempts = 10): number {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    try {
      return openSync(file, "ax", 0o600);
    } catch (error) {
      // Another run has taken the empty folder away in between.
      if (attempts === 0 || !isGone(error)) throw error;
      return this.made(file, attempts - 1);
    }
  }

  /** Where the answers of a file stand; they are read when they are asked for. */
  private index(file: string): void {
    let descriptor: number;
    try {
      descriptor = openSync(file, "r");
    } catch (error) {
      if (isGone(error)) return;
      throw error;
    }
    this.descriptors.push(descriptor);
    const bytes = readFileSync(descriptor);
    const oldest = Date.now() - EXPIRES_AFTER;
    for (
      let start = 0, end = bytes.indexOf(NEWLINE);
      end >= 0;
      start = end + 1, end = bytes.indexOf(NEWLINE, start)
    ) {
      const afterKey = bytes.indexOf(TAB, start);
      const afterTime = bytes.indexOf(TAB, afterKey + 1);
      const at = Number(bytes.toString("utf8", afterKey + 1, afterTime));
      if (afterKey < 0 || afterTime > end || !(at > oldest)) continue;
      const key = JSON.parse(bytes.toString("utf8", start, afterKey)) as string;
      this.places.set(key, { descriptor, start: afterTime + 1, length: end - afterTime - 1, at });
    }
  }
}

function isGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

const NEWLINE = 0x0a;
const TAB = 0x09;

/** Takes away what no survey will use again. */
function dropExpired(root: string): void {
  if (!existsSync(root)) return;
  for (const folder of readdirSync(root).map((name) => join(root, name))) {
    try {
      for (const file of readdirSync(folder).map((name) => join(folder, name)))
        if (Date.now() - statSync(file).mtimeMs > EXPIRES_AFTER) rmSync(file, { force: true });
      if (readdirSync(folder).length === 0) rmdirSync(folder);
    } catch {
      // Another run takes it away at this moment.
    }
  }
}
