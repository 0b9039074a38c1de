/** Lines and columns of a YAML text, and the comments that belong to a part. */

export const findLineStart = (text: string, at: number) => text.lastIndexOf("\n", at - 1) + 1;

/** Returns the offset after the line break. */
export function findLineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

export const getColumn = (text: string, at: number) => {
  const start = findLineStart(text, at);
  return at - (text[start] === "\uFEFF" ? start + 1 : start);
};

/** Returns the rest of a line without the line break. */
export const getRestOfLine = (text: string, at: number) => text.slice(at, findLineEnd(text, at)).trimEnd();

/** Reports whether only spaces precede an offset on its line. */
export const isFirstOnLine = (text: string, at: number) =>
  text.slice(findLineStart(text, at), at).trim() === "";

/** Returns the beginning of the line after a part, or the end of the text. */
export function findNextLine(text: string, end: number): number {
  return end > 0 && text[end - 1] === "\n" ? end : findLineEnd(text, end);
}

/** Returns the beginning of the comment lines right above a part that have its indentation and therefore belong to it. */
export function withComments(text: string, start: number): number {
  const column = getColumn(text, start);
  let at = findLineStart(text, start);
  while (at > 0) {
    const above = findLineStart(text, at - 1);
    const line = text.slice(above, at).replace(/^\uFEFF/, "");
    const indent = /^ *(?=#)/.exec(line)?.[0].length;
    if (indent !== column || /yaml-language-server|\$schema/.test(line)) break;
    at = above;
  }
  return at;
}
