/** Which requests were made, and how many of each kind were needed and why. */

/** By kind of path: how many at most, and for what. */
export type Needed = Readonly<Record<string, readonly [most: number, why: string]>>;

/** Prints a line for each kind. Returns how many requests were made beyond what is needed. */
export function printRequests(made: ReadonlyMap<string, number>, needed: Needed): number {
  let excess = 0;
  for (const [kind, count] of [...made].sort()) {
    const [most, why] = needed[kind] ?? [0, ""];
    excess += Math.max(0, count - most);
    process.stdout.write(
      `${kind.padEnd(36)} made ${String(count).padStart(5)}  needed ${String(most).padStart(5)}  ${why}\n`,
    );
  }
  process.stdout.write(
    excess === 0 ? "Nothing was read that need not be.\n" : `${excess} requests too many.\n`,
  );
  return excess;
}
