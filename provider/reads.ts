/**
 * Reads shared by all resources of a run: each list and each single object is fetched once, however many resources
 * ask for it at the same time, and what we write ourselves is entered into what was read.
 */
export class Reads {
  private readonly lists = new Map<string, Promise<readonly object[]>>();
  private readonly singles = new Map<string, Promise<object>>();

  list(key: string, load: () => Promise<readonly object[]>): Promise<readonly object[]> {
    return once(this.lists, key, load);
  }

  single(key: string, load: () => Promise<object>): Promise<object> {
    return once(this.singles, key, load);
  }

  /** Enters a written object into a list that was read, or takes it out (`undefined`). */
  enter(key: string, isIt: (item: object) => boolean, written: object | undefined): void {
    const loaded = this.lists.get(key);
    if (loaded === undefined) return;
    const entered = loaded.then((items) => {
      const others = items.filter((item) => !isIt(item));
      const before = items.find(isIt);
      return written === undefined ? others : [...others, { ...before, ...written }];
    });
    // A list that failed to load is dropped by `once`; whoever asked for it has the error.
    entered.catch(() => {});
    this.lists.set(key, entered);
  }

  /** Forgets what was read under a key, so that it is read again. */
  forget(key: string): void {
    this.lists.delete(key);
    this.singles.delete(key);
  }
}

function once<T>(cache: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const loading = load();
  cache.set(key, loading);
  loading.catch(() => {
    if (cache.get(key) === loading) cache.delete(key);
  });
  return loading;
}
