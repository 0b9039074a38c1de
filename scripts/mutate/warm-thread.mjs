// Keeps one thread with its loaded modules from one run of vitest to the next. Stryker starts a run for each mutant, and
// selects the mutant by a variable; loading the modules again would take longer than most of the tests.
import { ThreadsPoolWorker } from "vitest/node";

/** After so many runs, a new thread: what earlier mutants left behind, such as a wrong value in a cache, must not add up. */
const RUNS_PER_THREAD = 25;

class WarmThread extends ThreadsPoolWorker {
  name = "warm-thread";
  #listeners = [];
  #runs = 0;

  on(event, callback) {
    this.#listeners.push([event, callback]);
    super.on(event, callback);
  }

  /** Answers the request to end in place of the thread. */
  send(message) {
    if (message.type !== "stop") super.send(message);
    else this.thread.emit("message", { type: "stopped", __vitest_worker_response__: true });
  }

  async stop() {
    if (++this.#runs >= RUNS_PER_THREAD) {
      this.#runs = 0;
      await super.stop();
    } else {
      for (const [event, callback] of this.#listeners) this.off(event, callback);
    }
    this.#listeners = [];
  }
}

/** The plugin that makes vitest use the thread, whichever pool the caller asks for. */
export function warmThread() {
  let thread;
  return {
    name: "warm-thread",
    configureVitest({ project }) {
      project.config.pool = "warm-thread";
      project.config.poolRunner = {
        name: "warm-thread",
        createPoolWorker: (options) => (thread ??= new WarmThread(options)),
      };
    },
  };
}
