/** How much room the parts of a Markdown report have, so that it is short enough for a comment. */

/** The limit of GitHub for a comment is 65,536 characters; it is higher for a job summary. The rest is for a marker. */
const LIMIT = 65_000;

/** Maximum lengths: of a list of risks, of another list, of the block of an object, and of all arguments of a class. */
export interface MarkdownRoom {
  readonly risks: number;
  readonly list: number;
  readonly block: number;
  readonly args: number;
}

const UNLIMITED: MarkdownRoom = { risks: Infinity, list: Infinity, block: Infinity, args: Infinity };
/** With all risks. */
const SAFE: readonly MarkdownRoom[] = [
  { risks: Infinity, list: 7_000, block: 8_000, args: 0 },
  { risks: Infinity, list: 7_000, block: 2_000, args: 0 },
  { risks: Infinity, list: 2_000, block: 2_000, args: 0 },
];
/** Without what is no risk. */
const CROWDED: MarkdownRoom = { risks: Infinity, list: 0, block: 2_000, args: 0 };
/** Number of objects that change and are shown before a risk is omitted. */
const SHOWN = 20;

/**
 * Composes a text that is short enough. No risk is omitted before everything that is none.
 * @param all number of objects that change @param compose writes the text with some of them
 */
export function fitText(all: number, compose: (shown: number, room: MarkdownRoom) => string): string {
  const fit = (shown: number, room: MarkdownRoom) => {
    const text = compose(shown, room);
    return text.length <= LIMIT ? text : undefined;
  };
  const whole = fit(all, UNLIMITED);
  if (whole !== undefined) return whole;
  for (const room of SAFE) {
    const text = fit(all, room);
    if (text !== undefined) return fillUp(text, LIMIT, (args) => fit(all, { ...room, args }));
  }
  const least = Math.min(all, SHOWN);
  const text = fit(least, CROWDED);
  if (text !== undefined) return fillUp(text, all - least, (more) => fit(least + more, CROWDED));
  for (const shown of [least, 0]) {
    const few = fit(shown, { ...CROWDED, risks: 0 });
    if (few !== undefined) return fillUp(few, LIMIT, (risks) => fit(shown, { ...CROWDED, risks }));
  }
  return compose(0, { risks: 0, list: 0, block: 0, args: 0 });
}

const STEPS = 7;

/** Uses the room that is still free. @param most the largest amount to try @param fit returns the text with an amount, if it is short enough */
function fillUp(text: string, most: number, fit: (amount: number) => string | undefined): string {
  let found = text;
  let [low, high] = [0, most];
  for (let step = 0; step < STEPS && high - low > 1; step += 1) {
    const amount = Math.floor((low + high) / 2);
    const more = fit(amount);
    if (more === undefined) high = amount;
    else [low, found] = [amount, more];
  }
  return found;
}

/** Returns as many lines as there is room for, and counts the others. */
export function limitList(lines: readonly string[], room: number): string[] {
  let [left, shown] = [room, 0];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown += 1;
  }
  const more = lines.length - shown;
  if (more === 0) return [...lines];
  return [...lines.slice(0, shown), `- **${more} more do not fit here**: see the report as JSON or HTML.`];
}
