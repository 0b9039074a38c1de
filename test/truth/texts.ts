/** Strings that a file, a terminal or a comparison could take for something else. */

/** Strings that look like placeholders, masks, or values of YAML that are no strings. */
const LOOKALIKES = [
  ...["${env:X}", "$${env:X}", "$$${env:X}", "${X:-y}", "{{name}}", "!secure", "secure!abc"],
  ...["[secret]", "[secret, changed]", "(known later)", '{"$secret":true}'],
  ...[
    "yes",
    "null",
    "~",
    "1e3",
    "0x1f",
    "1_000",
    "2030-01-01",
    "- a",
    "a: b",
    "a #b",
    "*a",
    "&a",
    "%a",
    "@a",
  ],
  ...["|", ">-", "'", '"', "\\n", "...", "--- a", "?", "<<", "\u00a0a", "\u200b", "a\tb", "\ufeffa"],
];

/** The same characters in other forms, and what editors add or remove. */
const VARIATIONS: readonly ((text: string) => string)[] = [
  (text) => `${text} caf\u00e9`.normalize("NFC"),
  (text) => `${text} caf\u00e9`.normalize("NFD"),
  (text) => `${text}\n`,
  (text) => `${text}\n\n`,
  (text) => `${text}  `,
  (text) => ` ${text}`,
  (text) => `${text} \nand more\n  `,
  (text) => `${text}\r\nand more\r\n`,
  (text) => text.toUpperCase(),
  () => "",
];

export function awkwardTexts(text: string): string[] {
  return [...LOOKALIKES, ...VARIATIONS.map((vary) => vary(text))].filter((one) => one !== text);
}
