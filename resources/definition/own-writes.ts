/** Remembers what a run has written in the last seconds: a list that is read then may not show it yet. */

/** How long reads of the service may lag behind its writes. */
const LONGEST_LAG_MS = 8000;

interface OwnWrite {
  readonly part: string | undefined;
  readonly isIt: (item: object) => boolean;
  readonly written: object;
  readonly until: number;
}

export class OwnWrites {
  private readonly writes = new Map<string, OwnWrite[]>();

  /** @param now the clock of the client */
  constructor(private readonly now: () => number = Date.now) {}

  /** @param part the part of the object with this key that is the list; undefined if all of it is */
  note(
    key: string,
    part: string | undefined,
    isIt: (item: object) => boolean,
    written: object | undefined,
  ): void {
    const now = this.now();
    const isOther = (one: OwnWrite) => one.until > now && (one.part !== part || !isIt(one.written));
    const others = (this.writes.get(key) ?? []).filter(isOther);
    const until = now + LONGEST_LAG_MS;
    this.writes.set(key, written === undefined ? others : [...others, { part, isIt, written, until }]);
  }

  /** A response with the written objects that it does not show yet. They come last. */
  addMissing(key: string, response: object): object {
    return this.recent(key).reduce<object>((seen, { part, isIt, written }) => {
      const items = (part === undefined ? seen : (seen as Record<string, unknown>)[part]) ?? [];
      if (!Array.isArray(items) || (items as object[]).some(isIt)) return seen;
      const all: unknown[] = [...(items as unknown[]), written];
      return part === undefined ? all : { ...seen, [part]: all };
    }, response);
  }

  forget(key: string): void {
    this.writes.delete(key);
  }

  private recent(key: string): OwnWrite[] {
    const now = this.now();
    return (this.writes.get(key) ?? []).filter(({ until }) => until > now);
  }
}
