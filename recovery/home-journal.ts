/** The journal in the user's own folder: of programs, and of runs whose state is where no journal can be. */
import type { EngineLease } from "./engine-lease.js";
import { getJournalFolder } from "./journal.js";
import { pause } from "./lease.js";
import { RunJournal, type JournalOptions } from "./run-journal.js";
import { FolderStore } from "./stores.js";

/** Opens the journal in the user's own folder. */
export function openHomeJournal(options: Omit<JournalOptions, "besideState"> = {}): RunJournal {
  return new RunJournal(new FolderStore(getJournalFolder(options.env)), options);
}

/** Opens the journal of this process. Closes the intents of results that the engine got when the engine ends normally. */
export function openJournal(options: Omit<JournalOptions, "besideState">, lease: EngineLease): RunJournal {
  const journal = openHomeJournal({ ...options, others: lease.journals });
  endWithSignal(journal, lease);
  return journal;
}

/** The engine kills a provider that has not ended one second after the signal. */
const LAST_MS = 700;

/** Ends the journal on the signal by which the engine ends its providers, after it has saved their results. */
function endWithSignal(journal: RunJournal, lease: EngineLease): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => {
      journal.end();
      void expireAfterLast(lease.end()).finally(() => process.kill(process.pid, signal));
    });
  }
}

/** Waits for work, which may go on afterwards. */
function expireAfterLast(work: Promise<void>): Promise<void> {
  return Promise.race([work, pause(LAST_MS)]);
}
