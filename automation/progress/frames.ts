/** How far an operation is: the counts at a moment, with an estimate of the time left. */
import type { AutomationPort, ProgressReport } from "../automation-port.js";
import type { Port } from "../port.js";
import { type Frames, type Progress, Tally, type TallyOptions } from "./tally.js";

interface ProgressOptions extends TallyOptions {
  readonly now?: () => number;
}

/** Lets a port show how far an operation is. */
export async function startProgress(port: Port, options: ProgressOptions = {}): Promise<Progress> {
  return port.follow(createFrames(new Tally(options), options.now ?? Date.now));
}

function createFrames(tally: Tally, now: () => number): Frames {
  let phase = tally.tallied.phase;
  let time = new TimeLeft(now());
  return {
    onEvent: tally.onEvent,
    next() {
      const { tallied } = tally;
      if (tallied.phase !== phase) [phase, time] = [tallied.phase, new TimeLeft(now())];
      return { tallied, left: time.update(tallied.done, tallied.total, now()), now: now() };
    },
  };
}

/** Reports each change of the counts. */
export function reportFrames<E>(frames: Frames<E>, on: AutomationPort["on"]): Progress<E> {
  let last = "";
  return {
    onEvent(event) {
      frames.onEvent(event);
      const { phase, done, total, failed, waiting } = frames.next().tallied;
      const progress: ProgressReport = {
        type: "progress",
        phase,
        done,
        ...(total === undefined ? {} : { total }),
        failed,
        ...(waiting === undefined ? {} : { waitsUntil: new Date(waiting.until).toISOString() }),
      };
      const text = JSON.stringify(progress);
      if (text === last) return;
      last = text;
      on(progress);
    },
    end: () => undefined,
  };
}

/** Number of objects and milliseconds before the first estimate. */
const ENOUGH = 5;
const EARLY_MS = 3000;
/** Weight of the newest pace in the moving average. */
const NEWEST = 0.15;
/** Share by which the displayed time approaches the estimate each second. */
const FOLLOW = 0.25;

export class TimeLeft {
  /** Smoothed milliseconds per object. */
  private pace: number | undefined;
  private displayed: number | undefined;
  private at: number;
  private readonly began: number;
  private done = 0;
  private movedAt: number;

  constructor(now: number) {
    this.began = this.at = this.movedAt = now;
  }

  /** Milliseconds left; undefined before the first estimate. */
  update(done: number, total: number | undefined, now: number): number | undefined {
    const fresh = done - this.done;
    if (fresh > 0) {
      const took = (now - this.movedAt) / fresh;
      const weight = 1 - (1 - NEWEST) ** fresh;
      this.pace = this.pace === undefined ? took : this.pace + (took - this.pace) * weight;
      [this.done, this.movedAt] = [done, now];
    }
    const passed = now - this.at;
    this.at = now;
    if (total === undefined || this.pace === undefined || done < ENOUGH || now - this.began < EARLY_MS) {
      this.displayed = undefined;
      return undefined;
    }
    const average = (now - this.began) / done;
    const estimate = ((this.pace + average) / 2) * (total - done);
    if (this.displayed === undefined) return (this.displayed = estimate);
    const expected = Math.max(0, this.displayed - passed);
    const step = 1 - (1 - FOLLOW) ** (passed / 1000);
    this.displayed = expected + (estimate - expected) * step;
    return this.displayed;
  }
}
