/** Formats times independently of the machine's language. */

/** Formats the local time, such as `18:35:39`. */
export function formatClock(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** Formats a date with the time, such as `2026-11-21T18:35:39Z`. */
export function formatMoment(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
