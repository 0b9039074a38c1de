/** Escapes YAML so that printing does not change it. */
import { isScalar, parseDocument, visit } from "yaml";
import { escapeWith, formatHex, isTame } from "./safe-text.js";

/** @param ci whether a CI runner reads the output */
export function makeYamlPrintable(text: string, ci: boolean): string {
  if (isTame(text, ci)) return text;
  const pieces: { readonly start: number; readonly end: number; readonly now: string }[] = [];
  visit(parseDocument(text, { uniqueKeys: false }), (_key, node) => {
    if (!isScalar(node) || typeof node.value !== "string" || !node.range) return;
    const [start, end] = node.range;
    const source = text.slice(start, end);
    if (isTame(source, ci)) return;
    pieces.push({ start, end, now: `${quoteValue(node.value)}${source.endsWith("\n") ? "\n" : ""}` });
  });
  return pieces.reduceRight((all, { start, end, now }) => all.slice(0, start) + now + all.slice(end), text);
}

function quoteValue(value: string): string {
  return escapeWith(JSON.stringify(value), (sign) => {
    const point = sign.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : formatHex(point);
  });
}
