/** The intents of a journal, as its files contain them, and how they are found among thousands. */
import type { Creation, Intent, JournaledChange, RecordedObject, Subject } from "./journal.js";
import type { Owner } from "./process-owner.js";

/** The engine stores a result within this time, even if it is killed afterwards. */
const SAVED_AFTER = 30_000;

/** The service may still execute a request within this time. A run that is not interrupted waits as long for the response. */
const EXECUTED_WITHIN = 60_000;

export interface IntentLine {
  /** About the file: the process that writes it, and the address of its engine. */
  readonly pid?: number;
  readonly engine?: string;
  readonly owner?: Owner;
  /** About the file: the run has ended normally, and the engine has saved its results. */
  readonly over?: true;
  /** An intent: its subject and its time. */
  readonly type?: string;
  readonly address?: string;
  readonly key?: string;
  readonly at?: number;
  readonly before?: readonly string[];
  readonly creation?: Creation;
  readonly change?: JournaledChange;
  /** The key of an intent whose object was created, or that was closed. */
  readonly made?: string;
  readonly closed?: string;
  /** The key of a creation that the engine regards as failed, although the service may still be working on it. */
  readonly abandoned?: string;
  /** The key of an intent whose run ended right after the engine got the result. The state contains it, unless the engine was killed. */
  readonly ended?: string;
  readonly id?: string;
}

/** What an intent is about. */
export interface About {
  readonly subject: Subject;
  readonly at: number;
  readonly before?: readonly string[] | undefined;
  readonly creation?: Creation | undefined;
  readonly change?: JournaledChange | undefined;
  /** Pulumi id of an object that was adopted. */
  readonly id?: string | undefined;
}

export class JournaledIntent implements Intent {
  private handedOverAt: number | undefined;
  ended = false;
  open = true;
  isAbandoned = false;
  id: string | undefined;
  readonly subject: Subject;
  readonly at: number;
  readonly before: readonly string[] | undefined;
  readonly creation: Creation | undefined;
  readonly change: JournaledChange | undefined;

  constructor(
    { subject, at, before, creation, change, id }: About,
    private readonly write: (line: IntentLine, of: JournaledIntent) => Promise<void>,
  ) {
    this.subject = subject;
    this.at = at;
    this.before = before;
    this.creation = creation;
    this.change = change;
    this.id = id;
  }

  /** A line that is lost is replaced by the natural key. Where none identifies the object, this waits for the line. */
  async made(id: string): Promise<void> {
    this.id = id;
    const written = this.write({ made: this.subject.key, id }, this).catch(() => undefined);
    if (this.isFoundByIdOnly) await written;
  }

  get isFoundByIdOnly(): boolean {
    return this.before !== undefined || this.subject.key.startsWith(NAMELESS);
  }

  /** The engine takes no result of a creation that was abandoned. */
  handOver(): void {
    if (!this.isAbandoned) this.handedOverAt = Date.now();
  }

  /** Notes that the engine regards the creation as failed. */
  abandon(): void {
    if (!this.isLeft) return;
    this.isAbandoned = true;
    void this.write({ abandoned: this.subject.key }, this).catch(() => undefined);
  }

  get mayAppearUntil(): number {
    return this.isAbandoned && this.id === undefined ? this.at + EXECUTED_WITHIN : 0;
  }

  close(): void {
    void this.forget().catch(() => undefined);
  }

  async forget(): Promise<void> {
    if (!this.open) return;
    this.open = false;
    await this.write({ closed: this.subject.key }, this);
  }

  /** Whether the intent is open, and the engine has not received its result. */
  get isLeft(): boolean {
    return this.open && this.handedOverAt === undefined;
  }

  /** Whether the engine has the result, and this run may forget the intent once the state contains it. */
  get isHandedOver(): boolean {
    return this.open && this.handedOverAt !== undefined;
  }

  /** Notes that the run ends, where nobody reads the state afterwards. */
  end(): void {
    if (this.handedOverAt === undefined || !this.open) return;
    if (Date.now() - this.handedOverAt > SAVED_AFTER) return this.close();
    this.ended = true;
    void this.write({ ended: this.subject.key }, this).catch(() => undefined);
  }
}

/** Beginning of the keys of objects without a natural key, which only their ids identify. */
export const NAMELESS = "nameless:";

/** Index of intents by their subject, so that a run does not search all of them for every object. */
export class Intents {
  private readonly byKey = new Map<string, JournaledIntent[]>();
  private readonly byObject = new Map<string, JournaledIntent[]>();

  add(intent: JournaledIntent): void {
    append(this.byKey, intent.subject.key, intent);
    this.made(intent);
  }

  /** Records the id of the object, if it is known. */
  made(intent: JournaledIntent): void {
    const { id, subject } = intent;
    if (id !== undefined) append(this.byObject, describeObject({ ...subject, id }), intent);
  }

  /** Those of the same object of a program. */
  about({ key }: Subject): readonly JournaledIntent[] {
    return this.byKey.get(key) ?? [];
  }

  /** Those that made an object. */
  of(object: RecordedObject): readonly JournaledIntent[] {
    return (this.byObject.get(describeObject(object)) ?? []).filter(({ id }) => id === object.id);
  }
}

function append(map: Map<string, JournaledIntent[]>, key: string, intent: JournaledIntent): void {
  const there = map.get(key);
  if (there) there.push(intent);
  else map.set(key, [intent]);
}

function describeObject({ address, type, id }: RecordedObject): string {
  return JSON.stringify([address, type, id]);
}
