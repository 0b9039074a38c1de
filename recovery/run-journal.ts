/**
 * The journal of one run, and those of earlier runs. It is next to the state where this is a folder or a bucket of which we know, so that
 * another machine finds it there, and else in the user's own folder.
 */
import { randomUUID } from "node:crypto";
import { pickDefined } from "../diff/values.js";
import { type About, type IntentLine, Intents, JournaledIntent, NAMELESS } from "./intents.js";
import {
  ADOPT_VARIABLE,
  buildIntentKey,
  type Creation,
  type CreationUnderWay,
  type Intent,
  type Interrupted,
  type Journal,
  JOURNAL_VARIABLE,
  type JournaledChange,
  type RecordedObject,
  type RegisteredOptions,
  type Subject,
} from "./journal.js";
import { ActivityCheck, isDone, isProcessRunning, type JournalFile, readContent } from "./journal-file.js";
import { parseEngineAddress } from "./parent-watchdog.js";
import { findOwner, type Owner, processHasEnded } from "./process-owner.js";
import type { JournalStore } from "./stores.js";
import { describeWriteError } from "./write-failure.js";

type Env = Readonly<Record<string, string | undefined>>;

const EXPIRES_AFTER = 7 * 24 * 60 * 60 * 1000;

export interface JournalOptions {
  readonly env?: Env;
  readonly print?: (line: string) => void;
  /** Address of the engine. Default: the one that started this process. */
  readonly engine?: () => string | undefined;
  /** Where other runs may have left intents. */
  readonly others?: () => Promise<readonly JournalStore[]>;
  /**
   * The store is next to the state. Then no request is sent before its intent is stored, nothing expires, and `settle` ends the run. Else
   * the first error prints a warning: without a journal, a crash only costs a question.
   */
  readonly besideState?: boolean;
}

export class RunJournal implements Journal {
  readonly adoptsExisting: boolean;
  private readonly file = `${process.pid}-${randomUUID()}.jsonl`;
  private readonly own: JournaledIntent[] = [];
  /** Those of earlier runs too. */
  private readonly intents = new Intents();
  private readonly inState = new Set<string>();
  private readonly registered = new Map<string, RegisteredOptions>();
  private begun = false;
  private hasWarned = false;
  private earlier: readonly JournalFile[] | undefined;
  private loading: Promise<readonly JournalFile[]> | undefined;
  private readonly activity = new ActivityCheck();
  private readonly env: Env;
  readonly print: (line: string) => void;
  /** Set when an engine attaches to the provider of this process. */
  engine: () => string | undefined;
  private readonly others: () => Promise<readonly JournalStore[]>;
  readonly besideState: boolean;

  constructor(
    private readonly store: JournalStore,
    {
      env = process.env,
      print = () => {},
      engine = findOwnEngine,
      others = () => Promise.resolve([]),
      besideState = false,
    }: JournalOptions = {},
  ) {
    this.env = env;
    this.print = print;
    this.engine = engine;
    this.others = others;
    this.besideState = besideState;
    this.adoptsExisting = env[ADOPT_VARIABLE] === "1";
  }

  /** Location, for messages. */
  get name(): string {
    return this.store.name;
  }

  get isRemote(): boolean {
    return this.store.isRemote === true;
  }

  /** Records the options with which the program registers an object. */
  register(urn: string, options: RegisteredOptions): void {
    this.registered.set(urn, options);
  }

  intend(subject: Subject, before?: readonly string[], creation?: CreationUnderWay): Promise<Intent> {
    return this.begin(subject, { before }, creation);
  }

  adopt(subject: Subject, id: string, creation?: CreationUnderWay): Promise<Intent> {
    return this.begin(subject, { id }, creation);
  }

  private async begin(
    subject: Subject,
    known: Pick<About, "before" | "id">,
    creation: CreationUnderWay | undefined,
  ): Promise<Intent> {
    const intent = this.noted({
      subject: this.scoped(subject),
      at: Date.now(),
      ...known,
      creation: creation && this.recorded(creation),
    });
    await this.record(intent);
    await this.load();
    // The new intent replaces earlier ones of the same object.
    for (const earlier of this.intents.about(intent.subject)) earlier.close();
    this.intents.add(intent);
    creation?.abandoned?.addEventListener("abort", () => intent.abandon());
    return intent;
  }

  async change(change: JournaledChange): Promise<Intent> {
    const key = buildIntentKey(change.op, change.urn, change.id);
    const intent = this.noted({ subject: { type: "", address: "", key }, at: Date.now(), change });
    if (this.besideState) await this.record(intent);
    return intent;
  }

  async openIntent(subject: Subject, unsaved: boolean = false): Promise<Intent | undefined> {
    const { key } = this.scoped(subject);
    const isIt = (intent: JournaledIntent) =>
      intent.isLeft && intent.subject.key === key && (unsaved || !intent.ended);
    for (const file of await this.load()) {
      const found = file.intents.find(isIt);
      // Another run may be creating the object at this moment.
      if (found && !(await this.activity.isActive(file))) return found;
    }
    return undefined;
  }

  known(object: RecordedObject): void {
    this.inState.add(buildIntentKey(object.address, object.type, object.id));
    // The state next to this journal does not yet contain what this run has made.
    if (this.besideState) return;
    const close = () => this.intents.of(object).forEach((intent) => intent.close());
    if (this.earlier === undefined) void this.load().then(close);
    else close();
  }

  async accountsFor(object: RecordedObject): Promise<boolean> {
    const { address, type, id } = object;
    await this.load();
    return this.inState.has(buildIntentKey(address, type, id)) || this.intents.of(object).length > 0;
  }

  /** Notes that the run ends normally, so that the engine has saved the results. Deletes the file if it has no open intents. */
  end(): void {
    for (const { intents } of this.earlier ?? []) for (const intent of intents) intent.end();
    for (const intent of this.own) intent.end();
    if (this.begun && !this.own.some((intent) => intent.open)) this.drop(this.store, this.file);
    else if (this.begun) void this.append(this.store, this.file, { over: true }).catch(() => undefined);
    this.compact(this.earlier ?? []);
  }

  /** What the state must contain of this run: whether each object exists, by URN and id. */
  acknowledged(): ReadonlyMap<string, boolean> {
    const objects = new Map<string, boolean>();
    for (const { isHandedOver, creation, change, id } of this.own) {
      if (!isHandedOver) continue;
      if (creation !== undefined && id !== undefined) objects.set(`${creation.urn} ${id}`, true);
      if (change?.op === "delete") objects.set(`${change.urn} ${change.id}`, false);
    }
    return objects;
  }

  /** Forgets the intents whose results the state was seen to contain. What was not acknowledged stays for the next command. */
  async settle(): Promise<void> {
    const earlier = this.earlier ?? [];
    const left = this.own.filter((intent) => intent.isLeft);
    for (const intent of [...earlier.flatMap(({ intents }) => intents), ...(left.length > 0 ? this.own : [])])
      if (intent.isHandedOver) intent.close();
    if (this.begun && left.length === 0) await this.store.remove(this.file);
    await this.removeDone();
  }

  /** Whether an earlier run has left a file next to the state in which nothing is open any more. */
  async hasDone(): Promise<boolean> {
    await this.load();
    return (
      this.earlier?.some((file) => this.besideState && file.store === this.store && isDone(file)) ?? false
    );
  }

  /** Removes the files of earlier runs in which nothing is open any more. */
  async removeDone(): Promise<void> {
    const done = (this.earlier ?? []).filter(isDone);
    this.earlier = this.earlier?.filter((file) => !isDone(file));
    for (const { store, file } of done) await store.remove(file);
  }

  /**
   * What killed runs began in a stack.
   * @param stack beginning of the URNs
   */
  async interrupted(
    stack: string,
  ): Promise<{ creations: Interrupted[]; changes: (JournaledChange & { intent: Intent })[] }> {
    const creations: Interrupted[] = [];
    const changes: (JournaledChange & { intent: Intent })[] = [];
    for (const file of await this.load()) {
      const isOfStack = ({ creation, change, isLeft, ended }: JournaledIntent) =>
        (creation ?? change)?.urn.startsWith(stack) && isLeft && !ended;
      const intents = file.intents.filter(isOfStack);
      if (intents.length === 0 || file.over || (await this.activity.isActive(file))) continue;
      for (const intent of intents) {
        const { creation, change, subject } = intent;
        if (creation) creations.push({ ...creation, type: subject.type, intent });
        if (change) changes.push({ ...change, intent });
      }
    }
    return { creations, changes };
  }

  /** The process of this machine that writes to the journal and is about to end. */
  async findRunningOwner(): Promise<Owner | undefined> {
    const all = await this.load();
    return all.find(({ store, owner }) => store === this.store && processHasEnded(owner) === false)?.owner;
  }

  /** Whether no run has left anything next to the state. */
  async isEmpty(): Promise<boolean> {
    await this.load();
    return !this.earlier?.some(({ store }) => store === this.store);
  }

  /** Reads again what other runs have left. */
  forget(): void {
    this.earlier = this.loading = undefined;
  }

  /** The subject within the Pulumi project. Two projects of one user may declare the same workspace, and do not take over from each other. */
  private scoped(subject: Subject): Subject {
    const { key } = subject;
    if (key.startsWith(NAMELESS)) return subject;
    return { ...subject, key: buildIntentKey(this.env["PULUMI_NODEJS_PROJECT"] ?? "", key) };
  }

  private recorded({ finding, abandoned: _, ...said }: CreationUnderWay): Creation {
    if (this.besideState) return { ...said, options: this.registered.get(said.urn) };
    const inputs = Object.entries(said.inputs).filter(([name]) => finding.has(name));
    return { ...said, inputs: Object.fromEntries(inputs) };
  }

  private noted(about: About): JournaledIntent {
    return new JournaledIntent(about, this.writer(this.store, this.file));
  }

  private async record(intent: JournaledIntent): Promise<void> {
    const { subject, at, before, creation, change, id } = intent;
    const made = id === undefined ? undefined : subject.key;
    this.own.push(intent);
    await this.append(
      this.store,
      this.file,
      pickDefined({ ...subject, at, before, creation, change, made, id }),
    );
  }

  /** Reads what other runs have left, once. */
  private load(): Promise<readonly JournalFile[]> {
    return (this.loading ??= this.readAll());
  }

  private async readAll(): Promise<readonly JournalFile[]> {
    const all: JournalFile[] = [];
    for (const store of [this.store, ...(await this.others())])
      try {
        for (const [file, text] of await store.read())
          if (file !== this.file) all.push(this.fileOf(store, file, text));
      } catch (error) {
        if (this.besideState && store === this.store)
          throw new Error(`the journal in ${store.name} cannot be read (${(error as Error).message})`, {
            cause: error,
          });
        this.warn("read", store, error);
      }
    const isBeside = ({ store }: JournalFile) => this.besideState && store === this.store;
    this.earlier = [...all.filter(isBeside), ...this.compact(all.filter((file) => !isBeside(file)))];
    for (const { intents } of this.earlier) for (const intent of intents) this.intents.add(intent);
    return this.earlier;
  }

  private fileOf(store: JournalStore, file: string, text: string): JournalFile {
    const oldest = this.besideState && store === this.store ? 0 : Date.now() - EXPIRES_AFTER;
    return { store, file, ...readContent(text, oldest, this.writer(store, file)) };
  }

  /** Deletes the files of ended processes without open intents. */
  private compact(files: readonly JournalFile[]): readonly JournalFile[] {
    for (const one of files.filter(isDone)) if (!isProcessRunning(one)) this.drop(one.store, one.file);
    return files.filter((one) => !isDone(one));
  }

  /** What cannot be deleted now is deleted by a later run. */
  private drop(store: JournalStore, file: string): void {
    void store.remove(file).catch(() => undefined);
  }

  private writer(
    store: JournalStore,
    file: string,
  ): (line: IntentLine, of: JournaledIntent) => Promise<void> {
    return (line, of) => {
      if (line.made !== undefined) this.intents.made(of);
      return this.append(store, file, line, !of.isFoundByIdOnly);
    };
  }

  /** @throws {Error} next to the state, when the line cannot be stored */
  private async append(
    store: JournalStore,
    file: string,
    line: IntentLine,
    canWait: boolean = false,
  ): Promise<void> {
    const lines = [line];
    if (file === this.file && !this.begun) lines.unshift(this.head());
    try {
      await store.append(file, lines.map((one) => JSON.stringify(one)).join("\n"), canWait);
    } catch (error) {
      if (this.besideState)
        throw new Error(
          `the journal in ${store.name} cannot be written (${describeWriteError(store.name, error as Error)}), so no more is sent: fix this, and run the command again`,
          { cause: error },
        );
      this.warn("write", store, error);
    }
  }

  private head(): IntentLine {
    this.begun = true;
    return pickDefined({
      pid: process.pid,
      engine: this.engine(),
      owner: findOwner(process.pid),
    });
  }

  private warn(what: string, { name }: JournalStore, error: unknown): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    const { code, message } = error as NodeJS.ErrnoException;
    this.print(
      `warning: cannot ${what} the journal in ${name} (${code ?? message}): if this run is killed, the next one has to ask which ` +
        `objects it created. Make the folder writable, or choose another with ${JOURNAL_VARIABLE}`,
    );
  }
}

function findOwnEngine(): string | undefined {
  const address = parseEngineAddress();
  return address && `${address.host}:${address.port}`;
}
