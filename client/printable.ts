/** Makes texts from outside safe for a terminal, a log or a report. */

/**
 * Characters that control a terminal, end a line, change the direction of a text or have no width: C0 and C1 controls, line
 * separators, bidi controls, joiners and the like, tags.
 */
export const UNPRINTABLE =
  /[\p{Cc}\p{Bidi_Control}\u00AD\u180E\u200B-\u200F\u2028\u2029\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const RUNS = new RegExp(`(?:${UNPRINTABLE.source})+`, "gu");

/** Returns a text as one line, with a blank for each run of such characters. */
export function spellOut(text: string): string {
  return text.replace(RUNS, " ");
}

/** Returns a text as one line, with a visible replacement for each such character. */
export function stripControls(text: string): string {
  return text.replace(UNPRINTABLE, "\uFFFD");
}
