/** Parses JSON from outside, unless it is nested so deeply that parsing and walking it would take all time, memory and stack. */

/** No response or report needs more. */
export const MAX_NESTING = 200;

/** @throws {SyntaxError} when the text is not JSON, or is nested deeper than {@link MAX_NESTING} levels */
export function parseShallowJson(text: string): unknown {
  refuseDeepJson(text);
  return JSON.parse(text) as unknown;
}

/** @throws {DeepJsonError} */
export function refuseDeepJson(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = findEndOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (depth > MAX_NESTING) throw new DeepJsonError();
  }
}

export class DeepJsonError extends SyntaxError {
  constructor() {
    super(`it is nested deeper than ${MAX_NESTING} levels`);
  }
}

const [QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT, BACKSLASH] = [...'"[{]}\\'].map((sign) =>
  sign.charCodeAt(0),
);

/** Returns the position of the quote that ends a string. */
function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
