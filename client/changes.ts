/** Whether this process may have changed something in the service, for what is said when it is interrupted. */

let changed = false;

/** Records that a change was sent, or that something was started that sends some. */
export function recordChange(): void {
  changed = true;
}

export function mayHaveChanged(): boolean {
  return changed;
}
