/** Formats times and durations, independently of the machine's language. */

/** Formats the local time, such as `18:35:39`. */
export function formatClock(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** Formats a date with the time, such as `2026-11-21T18:35:39Z`. */
export function formatMoment(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

/** `40 s`, `3 min`, `2 h`: no more precise than the estimate. */
export function formatAboutTime(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  if (seconds < 20) return `${seconds} s`;
  if (seconds < 90) return `${Math.round(seconds / 5) * 5} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** `14 h ago`; undefined for what is no time. */
export function formatTimeSince(time: string | undefined, now: number = Date.now()): string | undefined {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? undefined : `${formatAboutTime(Math.max(0, now - at))} ago`;
}

/** `12:04`: a countdown to the second. */
export function formatCountdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number: number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
/** `2026-10-25 02:15:00 +01:00`: without its offset, an hour comes twice when clocks are put back. */
export function formatLocalTime(at: Date): string {
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString();
  const pad = (number: number) => String(number).padStart(2, "0");
  const hours = `${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${offset < 0 ? "-" : "+"}${hours}`;
}
