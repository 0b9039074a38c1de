/** Names and texts in the form in which this service stores them. */
import { isObject } from "./fields.js";
import type { Settings } from "./settings.js";

type Forms = Pick<Settings, "unicodeForm" | "blanks">;

/** Returns an e-mail address in the form in which this service stores it. */
export function convertEmail(email: string, { emailCase }: Pick<Settings, "emailCase">): string {
  return emailCase === "lower" ? email.toLowerCase() : email;
}

/** Fields of bodies that are names or descriptions. Values, scripts and addresses stay as they are. */
const fields = new Set(["name", "display_name", "key", "title", "description"]);

/** Returns a name or a description in the form in which this service stores it. */
export function convertText(text: string, { unicodeForm, blanks }: Forms): string {
  const normalized = unicodeForm === "kept" ? text : text.normalize(unicodeForm);
  return blanks === "trimmed" ? normalized.trim() : normalized;
}

/** Returns a body with its names and descriptions in these forms, also those by which it refers to a project. */
export function convertTexts(body: unknown, settings: Forms): unknown {
  if ((settings.unicodeForm === "kept" && settings.blanks === "kept") || !isObject(body)) return body;
  const entries = Object.entries(body).map(([name, value]) => {
    if (name === "project") return [name, convertTexts(value, settings)];
    return [name, fields.has(name) && typeof value === "string" ? convertText(value, settings) : value];
  });
  return Object.fromEntries(entries) as unknown;
}
