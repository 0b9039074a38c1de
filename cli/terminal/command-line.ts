/** Writes command lines that can be copied. */

/** Joins words, in quotes where a shell would split or change them. */
export function formatCommandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
