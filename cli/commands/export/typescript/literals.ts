/** Writes values as source text. No text of a workspace can end a literal, hide in it, or become code. */

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
export function renderText(value: string): string {
  return value.trimEnd().includes("\n") ? renderTemplate(value) : quoteLiteral(value);
}

export function quoteLiteral(value: string): string {
  return JSON.stringify(value).replace(INVISIBLE, escapeCharacter);
}

function renderTemplate(value: string): string {
  const inner = value
    .replace(/\\|`|\$(?=\{)/g, "\\$&")
    // A template literal normalizes all line ends to \n.
    .replaceAll("\r", "\\r")
    .replace(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : escapeCharacter(character)));
  return `\`${inner}\``;
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
