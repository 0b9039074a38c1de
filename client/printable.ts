/** Texts of others, before they come to a terminal, a log or a report. */

/**
 * What steers a terminal, ends a line, turns the direction of a text or has no width: C0 and C1 controls, separators of lines,
 * bidi controls, joiners and the like, tags.
 */
export const UNPRINTABLE =
  /[\p{Cc}\p{Bidi_Control}\u00AD\u180E\u200B-\u200F\u2028\u2029\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

const RUNS = new RegExp(`(?:${UNPRINTABLE.source})+`, "gu");

/** A text as one line of words: a blank stands for all of that. */
export function inWords(text: string): string {
  return text.replace(RUNS, " ");
}

/** A text as one line without any of that; what stands in its place shows that something was there. */
export function plain(text: string): string {
  return text.replace(UNPRINTABLE, "\uFFFD");
}
