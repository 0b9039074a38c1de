/**
 * The create journal on disk. Each process appends lines to a file of its own. A line is with the operating system before the
 * request is sent, so it survives the death of the process.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { returnLeases } from "../../client/index.js";
import {
  ADOPT_VARIABLE,
  creationUnderWay,
  intentKey,
  JOURNAL_VARIABLE,
  journalFolder,
  type Intent,
  type Interrupted,
  type Journal,
  type Subject,
} from "./create-journal.js";
import { Intents, Noted, type IntentLine, type RecordedObject } from "./intents.js";
import { engineAddress, isListening, isRunning } from "./parent-watchdog.js";

type Env = Readonly<Record<string, string | undefined>>;

const DAY = 24 * 60 * 60 * 1000;
const EXPIRES_AFTER = 7 * DAY;

/** A file of the journal, with the intents in it. */
interface JournalFile {
  readonly file: string;
  readonly pid: number | undefined;
  readonly engine: string | undefined;
  readonly over: boolean;
  readonly intents: readonly Noted[];
}

/**
 * A journal in files. The first error of the file system prints a warning. It does not stop the run, since without a journal a
 * crash only costs a question.
 */
export class FileJournal implements Journal {
  readonly adoptsExisting: boolean;
  private readonly own: string;
  private readonly ownIntents: Noted[] = [];
  /** Those of earlier runs too. */
  private readonly intents = new Intents();
  private readonly inState = new Set<string>();
  private begun = false;
  private hasWarned = false;
  private earlier: readonly JournalFile[] | undefined;

  constructor(
    private readonly folder: string,
    private readonly env: Env = process.env,
    private readonly print: (line: string) => void = () => {},
    /** Address of the engine. Default: the one that started this process. */
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
    const intent = new Noted(scoped, at, before, creation, this.writer(this.own));
    this.read();
    // The new intent replaces earlier ones of the same object.
    for (const earlier of this.intents.about(scoped)) earlier.close();
    this.intents.add(intent);
    this.ownIntents.push(intent);
    return intent;
  }

  async openIntent(subject: Subject, unsaved: boolean = false): Promise<Intent | undefined> {
    const { key } = this.scoped(subject);
    const isIt = (intent: Noted) => intent.isLeft && intent.subject.key === key && (unsaved || !intent.ended);
    for (const file of this.read()) {
      const found = file.intents.find(isIt);
      // Another run may be creating the object at this moment.
      if (found && !(await isActive(file))) return found;
    }
    return undefined;
  }

  known(object: RecordedObject): void {
    this.inState.add(intentKey(object.address, object.type, object.id));
    this.read();
    for (const intent of this.intents.of(object)) intent.close();
  }

  accountsFor(object: RecordedObject): boolean {
    const { address, type, id } = object;
    this.read();
    return this.inState.has(intentKey(address, type, id)) || this.intents.of(object).length > 0;
  }

  /** Notes that the run ends normally, so that the engine has saved the results. Deletes the file if it has no open intents. */
  end(): void {
    const earlier = this.read();
    for (const { intents } of earlier) for (const intent of intents) intent.end();
    for (const intent of this.ownIntents) intent.end();
    if (this.begun && !this.ownIntents.some((intent) => intent.open)) rmSync(this.own, { force: true });
    else if (this.begun) this.append(this.own, { over: true });
    this.compact(earlier);
  }

  /**
   * The creations that killed runs began in a stack.
   * @param stack beginning of the URNs
   */
  async interrupted(stack: string): Promise<Interrupted[]> {
    const found: Interrupted[] = [];
    for (const file of this.read()) {
      const intents = file.intents.filter(
        ({ creation, isLeft, ended }) => creation?.urn.startsWith(stack) && isLeft && !ended,
      );
      if (intents.length === 0 || file.over || (await isActive(file))) continue;
      for (const intent of intents) {
        const { creation, subject, id } = intent;
        if (creation) found.push({ ...creation, type: subject.type, id, close: () => intent.close() });
      }
    }
    return found;
  }

  /** The subject within the Pulumi project. Two projects of one user may declare the same workspace, and do not take over from each other. */
  private scoped(subject: Subject): Subject {
    return { ...subject, key: intentKey(this.env["PULUMI_NODEJS_PROJECT"] ?? "", subject.key) };
  }

  /** Reads what other runs have left, once. */
  private read(): readonly JournalFile[] {
    if (this.earlier === undefined) {
      this.earlier = this.readFolder();
      for (const { intents } of this.earlier) for (const intent of intents) this.intents.add(intent);
    }
    return this.earlier;
  }

  private readFolder(): readonly JournalFile[] {
    try {
      const names = readdirSync(this.folder).filter((name) => name.endsWith(".jsonl"));
      const files = names.map((name) => this.readFile(join(this.folder, name)));
      return this.compact(files.filter(({ file }) => file !== this.own));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.warn("read", error);
      return [];
    }
  }

  private readFile(file: string): JournalFile {
    let text = "";
    try {
      text = readFileSync(file, "utf8");
    } catch {
      // Its process has ended in the meantime and deleted it.
    }
    const lines = text.split("\n").flatMap(parsed);
    const intents = new Map<string, Noted>();
    const write = this.writer(file);
    for (const line of lines) {
      const { type = "", address = "", key, at = 0, before, creation, made, closed, ended, id } = line;
      if (key !== undefined) intents.set(key, new Noted({ type, address, key }, at, before, creation, write));
      const intent = intents.get(made ?? closed ?? ended ?? "");
      if (intent === undefined) continue;
      if (made !== undefined) intent.id = id;
      else if (ended !== undefined) intent.ended = true;
      else intent.open = false;
    }
    const oldest = Date.now() - EXPIRES_AFTER;
    const [head] = lines;
    const open = [...intents.values()].filter((intent) => intent.open && intent.at >= oldest);
    const over = lines.some((line) => line.over);
    return { file, pid: head?.pid, engine: head?.engine, over, intents: open };
  }

  /** Deletes the files of ended processes without open intents. */
  private compact(files: readonly JournalFile[]): readonly JournalFile[] {
    const [done, rest] = [files.filter(isDone), files.filter((one) => !isDone(one))];
    for (const { file, pid } of done) if (!isRunning(pid)) rmSync(file, { force: true });
    return rest;
  }

  private writer(file: string): (line: IntentLine, of: Noted) => void {
    return (line, of) => {
      this.append(file, line);
      if (line.made !== undefined) this.intents.made(of);
    };
  }

  private append(file: string, line: IntentLine): void {
    try {
      if (file === this.own && !this.begun) this.begin();
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      this.warn("write", error);
    }
  }

  private begin(): void {
    this.begun = true;
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const engine = this.engine();
    this.append(this.own, { pid: process.pid, ...(engine === undefined ? {} : { engine }) });
  }

  private warn(what: string, error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { code } = error as NodeJS.ErrnoException;
    this.print(
      `warning: cannot ${what} the journal in ${this.folder} (${code}): if this run is killed, the next one has to ask which ` +
        `objects it created. Make the folder writable, or name another with ${JOURNAL_VARIABLE}`,
    );
  }
}

function isDone({ intents }: JournalFile): boolean {
  return !intents.some((intent) => intent.open);
}

/** Whether the run that wrote the file is still active. A provider that outlives its engine for a moment is not. */
async function isActive({ pid, engine }: JournalFile): Promise<boolean> {
  if (!isRunning(pid)) return false;
  const address = engineAddress(engine);
  return address === undefined || isListening(address);
}

/** Parses a line. Ignores one that is incomplete because its process was killed. */
function parsed(text: string): IntentLine[] {
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

/** Opens the journal of this process. Closes the intents of results that the engine got when the engine ends normally. */
export function openJournal(print: (line: string) => void, env: Env = process.env): Journal {
  const journal = new FileJournal(journalFolder(env), env, print);
  endWithSignal(journal);
  return journal;
}

/** The engine kills a provider that has not ended one second after the signal. */
const LAST_MS = 700;

/** Ends the journal on the signal by which the engine ends its providers, after it has saved their results. */
export function endWithSignal(journal: FileJournal): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => {
      journal.end();
      void returnLeases(LAST_MS).finally(() => process.kill(process.pid, signal));
    });
  }
}
