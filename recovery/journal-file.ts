/** A file of a journal: the run that wrote it, and what it has left open. */
import { type IntentLine, JournaledIntent } from "./intents.js";
import type { Creation } from "./journal.js";
import { isListening, isRunning, parseEngineAddress } from "./parent-watchdog.js";
import { isOwner, type Owner, processHasEnded } from "./process-owner.js";
import type { JournalStore } from "./stores.js";

/** A file of the journal, with the open intents in it. */
export interface JournalFile extends JournalContent {
  readonly store: JournalStore;
  readonly file: string;
}

interface JournalContent {
  readonly pid: number | undefined;
  readonly engine: string | undefined;
  readonly owner: Owner | undefined;
  readonly over: boolean;
  readonly intents: readonly JournaledIntent[];
}

/**
 * Reads a file.
 * @param oldest time before which intents are ignored
 * @param write adds lines to it
 */
export function readContent(
  text: string,
  oldest: number,
  write: (line: IntentLine, of: JournaledIntent) => Promise<void>,
): JournalContent {
  const lines = text.split("\n").flatMap(parseLines);
  const intents = new Map<string, JournaledIntent>();
  for (const line of lines) {
    const {
      type = "",
      address = "",
      key,
      at = 0,
      before,
      creation,
      change,
      made,
      closed,
      ended,
      abandoned,
      id,
    } = line;
    if (key !== undefined)
      intents.set(
        key,
        new JournaledIntent({ subject: { type, address, key }, at, before, creation, change }, write),
      );
    const intent = intents.get(made ?? closed ?? ended ?? abandoned ?? "");
    if (intent === undefined) continue;
    if (made !== undefined) intent.id = id;
    else if (ended !== undefined) intent.ended = true;
    else if (abandoned !== undefined) intent.isAbandoned = true;
    else intent.open = false;
  }
  const [head] = lines;
  const open = [...intents.values()].filter((intent) => intent.open && intent.at >= oldest);
  const over = lines.some((line) => line.over);
  return { pid: head?.pid, engine: head?.engine, owner: head?.owner, over, intents: open };
}

export function isDone({ intents }: JournalFile): boolean {
  return !intents.some((intent) => intent.open);
}

/** Whether the process that wrote the file still runs on this machine. */
export function isProcessRunning({ pid, owner }: JournalFile): boolean {
  return owner === undefined ? isRunning(pid) : processHasEnded(owner) === false;
}

/** Finds out which runs are still active. All files share its patience, because anybody may have written those of a checkout. */
export class ActivityCheck {
  private patienceMs = 2000;

  /** A provider that outlives its engine for a moment is not active. */
  async isActive(file: JournalFile): Promise<boolean> {
    if (!isProcessRunning(file)) return false;
    const address = parseEngineAddress(file.engine);
    if (address === undefined) return true;
    const start = performance.now();
    const isThere = await isListening(address, Math.ceil(this.patienceMs));
    this.patienceMs -= performance.now() - start;
    return isThere;
  }
}

/** Whether all parts have their types. Anybody may have written the lines of a journal in a checkout. */
function isLine(line: unknown): line is IntentLine {
  if (typeof line !== "object" || line === null) return false;
  return Object.entries(line).every(([name, value]) => PARTS[name]?.(value) ?? true);
}

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number";
const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCreation = (value: unknown) =>
  isRecord(value) &&
  isText((value as Partial<Creation>).urn) &&
  isRecord((value as Partial<Creation>).inputs) &&
  Array.isArray((value as Partial<Creation>).secrets);
const isChange = (value: unknown) =>
  isRecord(value) && ["op", "urn", "id"].every((name) => isText((value as Record<string, unknown>)[name]));

const PARTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...{
    pid: isNumber,
    engine: isText,
    owner: isOwner,
    type: isText,
    address: isText,
    key: isText,
    at: isNumber,
  },
  ...{ made: isText, closed: isText, abandoned: isText, ended: isText, id: isText },
  ...{ creation: isCreation, change: isChange },
  before: (value) => Array.isArray(value) && value.every(isText),
};

/** Skips a line that a kill has truncated. */
function parseLines(text: string): IntentLine[] {
  try {
    const line = JSON.parse(text) as unknown;
    return isLine(line) ? [line] : [];
  } catch {
    return [];
  }
}
