/** Returns the leases of a process before it ends. Every command loads this file, so it imports nothing. */

interface Returnable {
  return(): Promise<void>;
  returnAtExit(): void;
}

const ledgers = new Set<Returnable>();

/** Registers a ledger of this process, whose lease is returned at the latest when the process exits. */
export function returnBeforeEnd(ledger: Returnable): void {
  if (ledgers.size === 0) process.on("exit", () => ledgers.forEach((each) => each.returnAtExit()));
  ledgers.add(ledger);
}

/** Gives back what this process has leased and not used. @param withinMs the longest wait for a store that does not respond */
export async function returnLeases(withinMs: number): Promise<void> {
  if (ledgers.size === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
  await Promise.race([Promise.all([...ledgers].map((ledger) => ledger.return())), late]);
  clearTimeout(timer);
}
