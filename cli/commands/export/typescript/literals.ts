/** Writes values as source text. No text of a workspace can end a literal, hide in it, or become code. */

/** Represents an expression of the program. */
export class Expression {
  constructor(readonly text: string) {}
}

/** Returns the source text of a JSON value, which may contain expressions. */
export function literal(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return textLiteral(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  const entries = Object.entries(value).map(([key, inner]) => `${property(key)}: ${literal(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** Returns an object with one property per line: the line break after the brace makes Prettier preserve them. */
export function block(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${property(key)}: ${literal(value)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}}`;
}

function property(key: string): string {
  // Without brackets, it would set the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedLiteral(key);
}

/** Writes a text of several lines as a template literal, and any other in quotes. */
export function textLiteral(value: string): string {
  return value.trimEnd().includes("\n") ? template(value) : quotedLiteral(value);
}

export function quotedLiteral(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escaped);
}

function template(value: string): string {
  const inner = value
    .replace(/\\|`|\$(?=\{)/g, "\\$&")
    // A template literal normalizes all line ends to \n.
    .replaceAll("\r", "\\r")
    .replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
  return `\`${inner}\``;
}

/** Control characters, unusual spaces, marks of text direction and lone surrogates; joiners are allowed. */
const INVISIBLE = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** Returns a comment line, which no name can end. */
export function commentLine(line: string): string {
  return `// ${line.replace(INVISIBLE, "\uFFFD")}`.trimEnd();
}
