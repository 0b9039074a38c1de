/** Values as source text. Nothing that a workspace holds can end a text, hide in it, or become code. */

/** Stands for an expression of the program. */
export class Expression {
  constructor(readonly text: string) {}
}

/** The source text of a value: of what JSON can say, and of expressions in it. */
export function literal(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (typeof value === "string") return textLiteral(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  const entries = Object.entries(value).map(([key, inner]) => `${property(key)}: ${literal(inner)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/** An object, one property a line: a line break after the bracket keeps the formatter from joining them. */
export function block(fields: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${property(key)}: ${literal(value)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}}`;
}

function property(key: string): string {
  // Written otherwise it would be no property but the object's prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quotedLiteral(key);
}

/** Texts of several lines as they are, in a template; all others in quotes. */
export function textLiteral(value: string): string {
  return value.trimEnd().includes("\n") ? template(value) : quotedLiteral(value);
}

export function quotedLiteral(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escaped);
}

function template(value: string): string {
  const inner = value
    .replace(/\\|`|\$(?=\{)/g, "\\$&")
    // A template reads every kind of line end as \n.
    .replaceAll("\r", "\\r")
    .replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
  return `\`${inner}\``;
}

/** Control characters, spaces that are none, marks that turn the direction of a line, halves of characters. Joiners stay. */
const INVISIBLE = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** A line of a comment: no name may end it. */
export function commentLine(line: string): string {
  return `// ${line.replace(INVISIBLE, "\uFFFD")}`.trimEnd();
}
