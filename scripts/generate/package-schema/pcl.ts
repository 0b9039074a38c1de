/** Prints an example program in PCL, Pulumi's intermediate language, from which Pulumi's generators make programs in other languages. */
import { type Declared, Reference } from "./program.js";

export function renderPcl(program: readonly Declared[]): string {
  return program
    .map(({ name, type, args }) => {
      const lines = Object.entries(args).map(([key, value]) => `  ${key} = ${renderExpression(value)}\n`);
      return `resource ${name} "workspace-automation:index:${type}" {\n${lines.join("")}}\n`;
    })
    .join("\n");
}

function renderExpression(value: unknown): string {
  if (value instanceof Reference) return `${value.resource}.${value.property}`;
  if (Array.isArray(value)) return `[${value.map(renderExpression).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${/^\w+$/.test(key) ? key : renderText(key)} = ${renderExpression(inner)}`,
    );
    return `{ ${entries.join(", ")} }`;
  }
  return typeof value === "string" ? renderText(value) : JSON.stringify(value);
}

/** A text, in which `${` and `%{` begin no template. */
function renderText(value: string): string {
  return JSON.stringify(value).replace(/[$%](?=\{)/g, "$&$&");
}
