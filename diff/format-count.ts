/** Returns a number with its noun: `1 object`, `3 people`. @param nouns the plural, unless it ends with an s only */
export function formatCount(count: number | bigint, noun: string, nouns: string = `${noun}s`): string {
  return `${count} ${Number(count) === 1 ? noun : nouns}`;
}
