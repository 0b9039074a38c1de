/** Escapes texts for HTML, SVG and XML. */
import { UNPRINTABLE } from "../../client/printable.js";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/**
 * Escapes a text for HTML, SVG and XML 1.0, for elements and attributes, on one line. Replaces characters that XML forbids, that
 * are invisible or that change the direction of text.
 */
export function escapeMarkup(text: string): string {
  return text
    .replace(UNPRINTABLE, (sign) => (/[\t\n\r]/.test(sign) ? sign : "\uFFFD"))
    .replace(/[\uD800-\uDFFF\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/[&<>"'\n\r]/g, (sign) => ENTITIES[sign] ?? sign);
}
