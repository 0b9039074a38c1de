/** Masks literal secrets in the text of a workspace file, whose lines messages quote. */
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { definitions, findSecrets, isSensitive, looksRandom } from "../../resources/index.js";
import { splitPieces } from "../compose/placeholders.js";
import { composeDocument } from "../syntax/parse.js";
import { Source } from "../syntax/source.js";

type Range = readonly [start: number, end: number];

/** Arguments of actions of which nobody knows what may be in them. */
const undocumentedArgs = new Set(definitions.flatMap((definition) => definition.undocumented));
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
    collect(composeDocument(text, new Source("", text)).contents, { text, ranges }, {});
  } catch (error) {
    // The text is nested too deep to be searched. No line of it is quoted.
    if (!(error instanceof RangeError)) throw error;
    ranges.push([0, text.length]);
  }
  return ranges;
}

/** What the keys above a value say about it. */
interface Above {
  /** Everything is secret. */
  readonly named?: boolean;
  /** Nobody knows what may be in it, so random letters and digits count as a secret, too. */
  readonly undocumented?: boolean;
}

interface Search {
  readonly text: string;
  readonly ranges: Range[];
}

function collect(node: ParsedNode | null, search: Search, above: Above): void {
  const { named = false, undocumented = false } = above;
  if (isScalar(node)) {
    const { value, range } = node;
    const whole: Range = [range[0], range[1]];
    if (isPlaceholder(value)) return;
    if (named && (typeof value === "string" || typeof value === "number")) search.ranges.push(whole);
    else if (typeof value === "string")
      search.ranges.push(...findPartsIn(value, whole, search.text, undocumented));
  } else if (isSeq(node)) {
    for (const item of node.items) collect(item, search, above);
  } else if (isMap(node)) {
    const textAt = (key: string): unknown => node.get(key);
    const says = ["encrypted", "sshKey"].some((flag) => textAt(flag) === true);
    const isCalled = says || isSensitive(textAt("name")) || isSensitive(textAt("key"));
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const isSecret = isSensitive(key) || (key === "value" && isCalled);
      collect(pair.value, search, {
        named: isSecret || (named && !labels.includes(key)),
        undocumented: undocumented || undocumentedArgs.has(key),
      });
    }
  }
}

/** Finds the secret parts of a scalar in its source: as a whole where a part is written in another way, such as with escapes. */
function findPartsIn(value: string, whole: Range, source: string, undocumented: boolean): Range[] {
  const parts = findSecrets(value);
  if (parts.length === 0) return undocumented && looksRandom(value) ? [whole] : [];
  const [start, end] = whole;
  const written = source.slice(start, end);
  const ranges: Range[] = [];
  for (const part of parts)
    for (const line of value.slice(part.start, part.start + part.length).split("\n")) {
      const secret = line.trim();
      if (secret === "") continue;
      const found = [...findAll(written, secret)].map((at): Range => [
        start + at,
        start + at + secret.length,
      ]);
      if (found.length === 0) return [whole];
      ranges.push(...found);
    }
  return ranges;
}

function* findAll(text: string, part: string): Generator<number> {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) yield at;
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
