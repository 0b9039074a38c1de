// Derives the JSON Schemas in draft-07, for editors that support no later draft, from those in draft 2020-12: they use no word that
// draft-07 lacks, except for the names of the two below.

/** Returns the text of a schema in draft-07. */
export function draft07Of(text) {
  return text
    .replace("https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#")
    .replaceAll('"$defs"', '"definitions"')
    .replaceAll("#/$defs/", "#/definitions/");
}

/** The schemas that exist in draft-07 too: file in draft 2020-12, and file in draft-07. */
export const inDraft07 = ["workspace", "overlay"].map((name) => [
  `${name}.schema.json`,
  `${name}.draft-07.schema.json`,
]);
