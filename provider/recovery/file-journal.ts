/**
 * The create journal on disk: one file per process, of lines that are only ever appended. A line says nothing but what is in
 * `Line`, and is with the operating system before the request is sent, so it survives the death of the process.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  ADOPT_VARIABLE,
  creationUnderWay,
  intentKey,
  JOURNAL_VARIABLE,
  journalFolder,
  type Creation,
  type Intent,
  type Interrupted,
  type Journal,
  type Subject,
} from "./create-journal.js";
import { engineAddress, isListening, isRunning } from "./parent-watchdog.js";

type Env = Readonly<Record<string, string | undefined>>;

const DAY = 24 * 60 * 60 * 1000;
const EXPIRES_AFTER = 7 * DAY;
/** What the engine was given longer ago than this is in its state, whatever ends it. */
const SAVED_AFTER = 30_000;

interface Line {
  /** Of the file: the process that writes it. */
  readonly pid?: number;
  readonly engine?: string;
  /** Of the file: the run has ended in order, and the engine has saved what it knows. */
  readonly over?: true;
  /** An intent: what it is about, and when. */
  readonly type?: string;
  readonly address?: string;
  readonly key?: string;
  readonly at?: number;
  readonly before?: readonly string[];
  readonly creation?: Creation;
  /** What became of the intent of a key. */
  readonly made?: string;
  readonly closed?: string;
  /** The run ended right after the engine was given the object: it is in the state, unless the engine was stopped at once. */
  readonly ended?: string;
  readonly id?: string;
}

/** A file of the journal, and what its lines amount to. */
interface Kept {
  readonly file: string;
  readonly pid: number | undefined;
  readonly engine: string | undefined;
  readonly over: boolean;
  readonly intents: readonly Noted[];
}

type RecordedObject = Parameters<Journal["known"]>[0];

class Noted implements Intent {
  private handedOverAt: number | undefined;
  ended = false;

  constructor(
    readonly subject: Subject,
    readonly at: number,
    readonly before: readonly string[] | undefined,
    readonly creation: Creation | undefined,
    private readonly write: (line: Line) => void,
    public id: string | undefined = undefined,
    public open: boolean = true,
  ) {}

  made(id: string): void {
    this.id = id;
    this.write({ made: this.subject.key, id });
  }

  handOver(): void {
    this.handedOverAt = Date.now();
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    this.write({ closed: this.subject.key });
  }

  /** What this run has taken over is no longer there for the next who asks. */
  get isLeft(): boolean {
    return this.open && this.handedOverAt === undefined;
  }

  /** The run ends: nobody will say more. */
  end(): void {
    if (this.handedOverAt === undefined || !this.open) return;
    if (Date.now() - this.handedOverAt > SAVED_AFTER) return this.close();
    this.ended = true;
    this.write({ ended: this.subject.key });
  }
}

/**
 * A journal in files. What cannot be read or written is told of once and does not stop the run: without a journal a
 * crash only costs a question.
 */
export class FileJournal implements Journal {
  readonly adoptsExisting: boolean;
  private readonly own: string;
  private readonly ownIntents: Noted[] = [];
  private readonly inState = new Set<string>();
  private begun = false;
  private ailing = false;
  private earlier: readonly Kept[] | undefined;

  constructor(
    private readonly folder: string,
    private readonly env: Env = process.env,
    private readonly tell: (line: string) => void = () => {},
    /** Address of the engine; of the one that started this process, unless it is another. */
    private readonly engine: () => string | undefined = ownEngine,
  ) {
    this.own = join(folder, `${process.pid}-${randomUUID()}.jsonl`);
    this.adoptsExisting = env[ADOPT_VARIABLE] === "1";
  }

  intend(subject: Subject, before?: readonly string[]): Intent {
    const scoped = this.scoped(subject);
    const at = Date.now();
    const creation = creationUnderWay.getStore();
    this.append(this.own, {
      ...scoped,
      at,
      ...(before ? { before } : {}),
      ...(creation ? { creation } : {}),
    });
    const intent = new Noted(scoped, at, before, creation, (line) => this.append(this.own, line));
    // It stands for the earlier ones of the same object, too.
    for (const earlier of this.all()) if (earlier.subject.key === scoped.key) earlier.close();
    this.ownIntents.push(intent);
    return intent;
  }

  async openIntent(subject: Subject, unsaved: boolean = false): Promise<Intent | undefined> {
    const { key } = this.scoped(subject);
    const isIt = (intent: Noted) => intent.isLeft && intent.subject.key === key && (unsaved || !intent.ended);
    for (const kept of this.read()) {
      const found = kept.intents.find(isIt);
      // What somebody else is about to make in this moment is not ours to take.
      if (found && !(await isAtWork(kept))) return found;
    }
    return undefined;
  }

  known(object: RecordedObject): void {
    this.inState.add(intentKey(object.address, object.type, object.id));
    for (const intent of this.all()) if (isOf(intent, object)) intent.close();
  }

  accountsFor(object: RecordedObject): boolean {
    const { address, type, id } = object;
    return (
      this.inState.has(intentKey(address, type, id)) || this.all().some((intent) => isOf(intent, object))
    );
  }

  /** The run ends in order: what was handed over is in the state. A file that says nothing any more goes. */
  end(): void {
    const earlier = this.read();
    for (const { intents } of earlier) for (const intent of intents) intent.end();
    for (const intent of this.ownIntents) intent.end();
    if (this.begun && !this.ownIntents.some((intent) => intent.open)) rmSync(this.own, { force: true });
    else if (this.begun) this.append(this.own, { over: true });
    this.compact(earlier);
  }

  /** The creations of objects of a stack that killed runs began. @param stack beginning of their URNs */
  async interrupted(stack: string): Promise<Interrupted[]> {
    const found: Interrupted[] = [];
    for (const kept of this.read()) {
      const intents = kept.intents.filter(
        ({ creation, isLeft, ended }) => creation?.urn.startsWith(stack) && isLeft && !ended,
      );
      if (intents.length === 0 || kept.over || (await isAtWork(kept))) continue;
      for (const intent of intents) {
        const { creation, subject } = intent;
        if (creation) found.push({ ...creation, type: subject.type, close: () => intent.close() });
      }
    }
    return found;
  }

  /** Two projects of one user may declare the same workspace: neither takes over what the other began. */
  private scoped(subject: Subject): Subject {
    return { ...subject, key: intentKey(this.env["PULUMI_NODEJS_PROJECT"] ?? "", subject.key) };
  }

  private all(): readonly Noted[] {
    return [...this.read().flatMap((kept) => kept.intents), ...this.ownIntents];
  }

  private read(): readonly Kept[] {
    this.earlier ??= this.readFolder();
    return this.earlier;
  }

  private readFolder(): readonly Kept[] {
    try {
      const files = readdirSync(this.folder).filter((name) => name.endsWith(".jsonl"));
      const kept = files.map((name) => this.readFile(join(this.folder, name)));
      return this.compact(kept.filter(({ file }) => file !== this.own));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.complain("read", error);
      return [];
    }
  }

  private readFile(file: string): Kept {
    let text = "";
    try {
      text = readFileSync(file, "utf8");
    } catch {
      // Its process has ended in the meantime and taken it away.
    }
    const lines = text.split("\n").flatMap(parsed);
    const intents = new Map<string, Noted>();
    for (const line of lines) {
      const { type = "", address = "", key, at = 0, before, creation, made, closed, ended, id } = line;
      const write = (further: Line) => this.append(file, further);
      if (key !== undefined) intents.set(key, new Noted({ type, address, key }, at, before, creation, write));
      const intent = intents.get(made ?? closed ?? ended ?? "");
      if (intent === undefined) continue;
      if (made !== undefined) intent.id = id;
      else if (ended !== undefined) intent.ended = true;
      else intent.open = false;
    }
    const oldest = Date.now() - EXPIRES_AFTER;
    const [head] = lines;
    const live = [...intents.values()].filter((intent) => intent.open && intent.at >= oldest);
    const over = lines.some((line) => line.over);
    return { file, pid: head?.pid, engine: head?.engine, over, intents: live };
  }

  /** Takes away the files of ended processes that have nothing open. */
  private compact(kept: readonly Kept[]): readonly Kept[] {
    const [spent, rest] = [kept.filter(isSpent), kept.filter((one) => !isSpent(one))];
    for (const { file, pid } of spent) if (!isRunning(pid)) rmSync(file, { force: true });
    return rest;
  }

  private append(file: string, line: Line): void {
    try {
      if (file === this.own && !this.begun) this.begin();
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      this.complain("write", error);
    }
  }

  private begin(): void {
    this.begun = true;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const engine = this.engine();
    this.append(this.own, { pid: process.pid, ...(engine === undefined ? {} : { engine }) });
  }

  private complain(what: string, error: unknown): void {
    if (this.ailing) return;
    this.ailing = true;
    const { code } = error as NodeJS.ErrnoException;
    this.tell(
      `warning: cannot ${what} the journal in ${this.folder} (${code}): should this run be killed, the next one will ask ` +
        `about what this one made. Make the folder writable, or name another with ${JOURNAL_VARIABLE}`,
    );
  }
}

function isOf({ id, subject }: Noted, object: RecordedObject): boolean {
  return id === object.id && subject.type === object.type && subject.address === object.address;
}

function isSpent({ intents }: Kept): boolean {
  return !intents.some((intent) => intent.open);
}

/** Is the run that wrote the file still going on? A provider that outlives its engine for a moment is not. */
async function isAtWork({ pid, engine }: Kept): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const address = engineAddress(engine);
  return address === undefined || isListening(address);
}

/** A line that was cut off by the end of its process says nothing. */
function parsed(text: string): Line[] {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? [line] : [];
  } catch {
    return [];
  }
}

function ownEngine(): string | undefined {
  const address = engineAddress();
  return address && `${address.host}:${address.port}`;
}

/** The journal of this process. Closes what the engine was given when the engine ends in order. */
export function openJournal(tell: (line: string) => void, env: Env = process.env): Journal {
  const journal = new FileJournal(journalFolder(env), env, tell);
  endWithSignal(journal);
  return journal;
}

/** The engine ends its providers by this signal, after it has saved what they answered. */
export function endWithSignal(journal: FileJournal): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => {
      journal.end();
      process.kill(process.pid, signal);
    });
  }
}
