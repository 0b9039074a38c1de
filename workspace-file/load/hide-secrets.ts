/** Masks literal secrets in the text of a workspace file, whose lines messages quote. */
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { composeDocument } from "../syntax/parse.js";
import { Source } from "../syntax/source.js";
import { splitPieces } from "../compose/placeholders.js";
import { definitions, isSensitive, looksSecret } from "../../provider/index.js";

type Range = readonly [start: number, end: number];

/** Arguments of actions that are secret as a whole. */
const undocumented = new Set(definitions.flatMap((definition) => definition.undocumented));
/** Keys that identify one of several values. */
const labels = ["name", "key", "type"];
const LONGEST = 64 * 1024;
/** `name: value` in a line, also where the text is not valid YAML. */
const written = /(?<![\w./-])(["']?)([A-Za-z_][\w.-]*)\1\s*:[ \t]+([^\s{[|>&*#][^\r\n]*)/g;
const keyBlock = /-----BEGIN[^\r\n]*PRIVATE KEY[^]*?(?:-----END[^\r\n]*-----|$)/g;

/** Replaces each character of a secret by a star, so that locations stay the same. */
export function hideSecrets(text: string): string {
  // Parsing a long text may take long. No line of it is quoted.
  return text.length > LONGEST ? "" : hideAllSecrets(text);
}

/** Does the same for a text of any length that is known to be valid. */
export function hideAllSecrets(text: string): string {
  const ranges = [...findInTree(text), ...findInLines(text)].toSorted(([a], [b]) => a - b);
  let [shown, done] = ["", 0];
  for (const [start, end] of ranges) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    shown += text.slice(done, from) + text.slice(from, end).replace(/[^\r\n]/g, "*");
    done = end;
  }
  return shown + text.slice(done);
}

function findInTree(text: string): Range[] {
  const ranges: Range[] = [];
  try {
    // There is a tree of an invalid text, too.
    collect(composeDocument(text, new Source("", text)).contents, false, ranges);
  } catch (error) {
    // The text is nested too deep to be searched. No line of it is quoted.
    if (!(error instanceof RangeError)) throw error;
    ranges.push([0, text.length]);
  }
  return ranges;
}

function collect(node: ParsedNode | null, named: boolean, ranges: Range[]): void {
  if (isScalar(node)) {
    const { value, range } = node;
    const isValue = typeof value === "string" || (named && typeof value === "number");
    if (isValue && !isPlaceholder(value) && (named || looksSecret(value))) ranges.push([range[0], range[1]]);
  } else if (isSeq(node)) {
    for (const item of node.items) collect(item, named, ranges);
  } else if (isMap(node)) {
    const textAt = (key: string): unknown => node.get(key);
    const says = ["encrypted", "sshKey"].some((flag) => textAt(flag) === true);
    const isCalled = says || isSensitive(textAt("name")) || isSensitive(textAt("key"));
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const isSecret = isSensitive(key) || undocumented.has(key) || (key === "value" && isCalled);
      collect(pair.value, isSecret || (named && !labels.includes(key)), ranges);
    }
  }
}

function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && splitPieces(value.trim()).every((piece) => typeof piece === "object");
}

function findInLines(text: string): Range[] {
  const ranges: Range[] = [...text.matchAll(keyBlock)].map((match) => [
    match.index,
    match.index + match[0].length,
  ]);
  for (const match of text.matchAll(written)) {
    const [whole, , name, value = ""] = match;
    // In a map on one line, the value ends before the next one.
    const atOnce = /^(["']).*?\1|^\$\{[^{}]*\}(?=\s*(?:[,}\]#]|$))/.exec(value)?.[0];
    const own = atOnce ?? value.split(/\s*[,}\]]\s|\s*[}\]]+$|\s+#/)[0] ?? value;
    if (!isSensitive(name) || isPlaceholder(own.replace(/^(["'])(.*)\1$/, "$2"))) continue;
    const start = match.index + whole.length - value.length;
    ranges.push([start, start + own.length]);
  }
  return ranges;
}
