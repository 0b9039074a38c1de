/** Estimates the time left, smoothed so that it neither jumps nor appears too early. */

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

/** `40 s`, `3 min`, `2 h`: no more precise than the estimate. */
export function formatAboutTime(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 20) return `${seconds} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** `12:04`: a countdown to the second. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
