/** Writes names of variables and values as source text. No text of a workspace can end a literal, hide in it, or become code. */
import { chooseFreeName, groupBy } from "../../../text/lists.js";

/** An object that needs a variable: its keys from the innermost to the outermost, and what kind of object it is. */
interface IdentifierRequest {
  readonly name: string;
  readonly keys: readonly string[];
  readonly noun: string;
}

/**
 * Names each object by as few of its keys as are unique (`webDeploy`, `apiDeploy`), so that no name depends on the order. When
 * even all keys and the noun are not unique, the name gets a number.
 * @param reserved names that mean something else where these are used
 */
export function assignIdentifiers(
  requests: readonly IdentifierRequest[],
  reserved: Iterable<string> = [],
): ReadonlyMap<string, string> {
  const used = new Set([...RESERVED, ...reserved]);
  const all = requests.map((request) => ({ request, candidates: listCandidatesFor(request) }));
  const wanted = groupBy(
    all.flatMap(({ candidates }) => candidates),
    (name) => name,
  );
  const isUnique = (name: string) => wanted.get(name)?.length === 1 && !used.has(name);
  return new Map(
    all.map(({ request, candidates }) => {
      const longest = candidates.at(-1) ?? "";
      const name =
        candidates.find(isUnique) ??
        chooseFreeName(
          (one) => used.has(one),
          (suffix) => longest + suffix,
          "",
        );
      used.add(name);
      return [request.name, name];
    }),
  );
}

/** Lists possible names, from the shortest to the one with all keys and the noun. */
function listCandidatesFor({ keys, noun }: IdentifierRequest): string[] {
  const [own = ""] = keys;
  const kind = splitIntoWords(noun);
  // The local part of an e-mail address is enough if it is unique.
  const person = own.replace(/(?<=.)@.*$/s, "");
  const byKeys = keys.map((_key, index) => keys.slice(0, index + 1).reverse());
  const all = [[person], ...byKeys].map((names) => names.flatMap(splitIntoWords));
  const names = [...all, [...(all.at(-1) ?? []), ...kind]].map((words) => {
    const name = toCamelCase(words.length === 0 ? kind : words);
    return /^\p{ID_Start}/u.test(name) ? name : toCamelCase([...kind, ...words]);
  });
  return [...new Set(names)];
}

/** Letters and digits of scripts that all versions of the compiler know; other signs separate words. */
const WORD =
  /(?:(?=[\u0900-\u09630-9A-Za-z\u00c0-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u0669\u0e01-\u0e4e\u3041-\u30fa\u4e00-\u9fa5\uac00-\ud7a3])\p{ID_Continue})+/gu;
/** Longer names are cut. */
const LONGEST = 60;

const splitIntoWords = (text: string): string[] => text.normalize("NFC").slice(0, LONGEST).match(WORD) ?? [];

export function toCamelCase(words: readonly string[]): string {
  return words
    .map((word) => (/^[\p{Lu}\p{N}]+$/u.test(word) ? word.toLowerCase() : word))
    .map(
      (word, index) =>
        (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
    )
    .join("");
}

/** Keywords, and names that a module has without declaring them. */
const RESERVED = (
  "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete do " +
  "else enum eval export exports extends false finally for from function get global globalThis if implements import in " +
  "infinity instanceof interface is let module namespace nan never new null number object of package private protected " +
  "public readonly require return set static string super switch symbol this throw true try type typeof undefined unknown " +
  "var void while with yield process console config pulumi"
).split(" ");

/** Represents an expression of the program. */
export class Expression {
  constructor(readonly text: string) {}
}

/** The longest line, where values can be broken. */
const WIDTH = 80;
export const INDENT = "  ";

/**
 * Returns the source text of a JSON value, which may contain expressions. What is too long for a line has one part per line.
 * @param indent that of the line on which it begins
 * @param used characters before it on that line
 */
export function renderLiteral(value: unknown, indent: string = "", used: number = indent.length): string {
  const line = onOneLine(value);
  const isLeaf = typeof value !== "object" || value === null || value instanceof Expression;
  if (isLeaf || (used + line.length < WIDTH && !line.includes("\n"))) return line;
  const inner = indent + INDENT;
  const parts = Array.isArray(value)
    ? value.map((item) => renderLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => renderMember(key, item, inner));
  if (parts.length === 0) return line;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}

/** Returns an object with one property per line. */
export function renderBlock(fields: Readonly<Record<string, unknown>>, indent: string = ""): string {
  const inner = indent + INDENT;
  const lines = Object.entries(fields).map(([key, value]) => `${inner}${renderMember(key, value, inner)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/** Returns the imports of names from a module. */
export function renderImport(names: readonly string[], module: string): string {
  const line = `import { ${names.join(", ")} } from ${quoteLiteral(module)};`;
  if (line.length <= WIDTH) return line;
  return `import {\n${names.map((name) => `${INDENT}${name},\n`).join("")}} from ${quoteLiteral(module)};`;
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return renderText(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  const entries = Object.entries(value).map(([key, inner]) => `${renderProperty(key)}: ${onOneLine(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function renderMember(key: string, value: unknown, indent: string): string {
  const start = `${renderProperty(key)}: `;
  return `${start}${renderLiteral(value, indent, indent.length + start.length)}`;
}

function renderProperty(key: string): string {
  // Without brackets, it would set the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoteLiteral(key);
}

/** Writes a text of several lines as a template literal, and any other in quotes. */
function renderText(value: string): string {
  return value.trimEnd().includes("\n") ? renderTemplate(value) : quoteLiteral(value);
}

export function quoteLiteral(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escapeCharacter);
}

function renderTemplate(value: string): string {
  return `\`${escapeInTemplate(value)}\``;
}

/** Renders a text with parts that are known only when the program runs. */
export function renderInterpolation(parts: readonly (string | Expression)[]): string {
  const inner = parts.map((part) =>
    typeof part === "string" ? escapeInTemplate(part, true) : `\${${part.text}}`,
  );
  // cspell:disable-next-line (the name in Pulumi's SDK)
  return `pulumi.interpolate\`${inner.join("")}\``;
}

/** @param before whether an expression follows, which a dollar sign at the end would hide */
function escapeInTemplate(value: string, before = false): string {
  return (
    value
      .replace(before ? /\\|`|\$/g : /\\|`|\$(?=\{)/g, "\\$&")
      // A template literal normalizes all line ends to \n.
      .replaceAll("\r", "\\r")
      .replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : escapeCharacter(character)))
  );
}

/** Control characters, unusual spaces, marks of text direction and lone surrogates; joiners are allowed. */
const INVISIBLE = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Returns a comment line, which no name can end. */
export function renderComment(line: string): string {
  return `// ${line.replace(INVISIBLE, "\uFFFD")}`.trimEnd();
}
