/** Times as people read them, the same whatever the machine's language is. */

/** `18:35:39`, local time. */
export function clock(date: Date): string {
  return date.toTimeString().slice(0, 8);
}

/** `2026-11-21T18:35:39Z`: for what may be of another day. */
export function moment(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
