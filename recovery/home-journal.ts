/** The journal in the user's own folder: of programs, and of runs whose state is where no journal can be. */
import type { EngineLease } from "./engine-lease.js";
import { journalFolder, type Journal } from "./journal.js";
import { pause } from "./lease.js";
import { RunJournal, type JournalOptions } from "./run-journal.js";
import { folderBesideState, FolderStore } from "./stores.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Opens the journal in the user's own folder. Reads also what `workspacectl` has left beside the state, if the environment names it. */
export function openHomeJournal(options: Omit<JournalOptions, "besideState"> = {}): RunJournal {
  const env = options.env ?? process.env;
  const beside = folderBesideState(
    env["PULUMI_BACKEND_URL"],
    env["PULUMI_NODEJS_PROJECT"],
    env["PULUMI_NODEJS_STACK"],
  );
  const others = beside === undefined ? [] : [new FolderStore(beside)];
  return new RunJournal(new FolderStore(journalFolder(env)), { others, ...options });
}

/** Opens the journal of this process. Closes the intents of results that the engine got when the engine ends normally. */
export function openJournal(
  print: (line: string) => void,
  env: Env = process.env,
  lease?: EngineLease,
): Journal {
  const journal = openHomeJournal({ env, print });
  endWithSignal(journal, lease);
  return journal;
}

/** The engine kills a provider that has not ended one second after the signal. */
const LAST_MS = 700;

/** Ends the journal on the signal by which the engine ends its providers, after it has saved their results. */
export function endWithSignal(journal: RunJournal, lease?: EngineLease): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => {
      journal.end();
      void withinLast(lease?.end()).finally(() => process.kill(process.pid, signal));
    });
  }
}

/** Waits for work, which may go on afterwards. */
function withinLast(work: Promise<void> | undefined): Promise<void> {
  return Promise.race([work ?? Promise.resolve(), pause(LAST_MS)]);
}
