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
 * A text that is no markup in HTML, SVG and XML 1.0, between tags and in attributes, on one line of the source. Signs that XML
 * forbids, that are not seen or that turn the direction of a text are replaced.
 */
export function escaped(text: string): string {
  return text
    .replace(UNPRINTABLE, (sign) => (/[\t\n\r]/.test(sign) ? sign : "\uFFFD"))
    .replace(/[\uD800-\uDFFF\uFFFE\uFFFF]/gu, "\uFFFD")
    .replace(/[&<>"'\n\r]/g, (sign) => ENTITIES[sign] ?? sign);
}
