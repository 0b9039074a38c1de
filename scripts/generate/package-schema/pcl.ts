/** Prints an example program in PCL, Pulumi's intermediate language, from which Pulumi's generators make programs in other languages. */
import { Reference, type Declared } from "./program.js";

export function pclProgram(program: readonly Declared[]): string {
  return program
    .map(({ name, type, args }) => {
      const lines = Object.entries(args).map(([key, value]) => `  ${key} = ${expression(value)}\n`);
      return `resource ${name} "workspace-automation:index:${type}" {\n${lines.join("")}}\n`;
    })
    .join("\n");
}

function expression(value: unknown): string {
  if (value instanceof Reference) return `${value.resource}.${value.property}`;
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, inner]) => `${/^\w+$/.test(key) ? key : text(key)} = ${expression(inner)}`,
    );
    return `{ ${entries.join(", ")} }`;
  }
  return typeof value === "string" ? text(value) : JSON.stringify(value);
}

/** A text, in which `${` and `%{` begin no template. */
function text(value: string): string {
  return JSON.stringify(value).replace(/[$%](?=\{)/g, "$&$&");
}
