/** Writes command lines that can be copied. */

/** Joins words, in quotes where a shell would split or change them. */
export function commandLine(words: readonly string[]): string {
  return words.map(quotedWord).join(" ");
}

function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
