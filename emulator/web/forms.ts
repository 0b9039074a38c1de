/** Inputs of forms, and the bodies that they mean. */
import { isObject } from "../fields.js";
import { type Html, html } from "./html.js";

/** Forms that are generated from the JSON Schema of a request body. */

type JsonSchema = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, unknown>>;
/** What a browser sends. */
export type SentForm = Readonly<Record<string, unknown>>;

interface Field {
  readonly name: string;
  readonly description: string | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly kind: "text" | "number" | "flag" | "choice" | "lines" | "json" | "secret";
  readonly choices: readonly string[];
}

function listFields(schema: JsonSchema): Field[] {
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>).map(
    ([name, property]) => {
      const types = [property["type"]].flat();
      const choices = ((property["enum"] ?? []) as unknown[]).filter((value) => typeof value === "string");
      return {
        name,
        description: property["description"] as string | undefined,
        required: required.includes(name),
        nullable: types.includes("null"),
        kind: chooseKind(property, types, choices),
        choices,
      };
    },
  );
}

function chooseKind(
  property: JsonSchema,
  types: readonly unknown[],
  choices: readonly string[],
): Field["kind"] {
  if (choices.length > 0) return "choice";
  if (property["writeOnly"] === true) return "secret";
  if (types.includes("boolean")) return "flag";
  if (types.includes("integer") || types.includes("number")) return "number";
  if (types.includes("string")) return "text";
  const items = property["items"];
  return types.includes("array") && isObject(items) && items["type"] === "string" ? "lines" : "json";
}

/** Renders the inputs of a body, with the values that the object has now. */
export function renderInputs(schema: JsonSchema, values: Values): Html[] {
  return listFields(schema).map((field) => {
    const value = formatValue(field, values[field.name]);
    const hint = [field.required ? "required" : undefined, field.description].filter(Boolean).join("; ");
    return html`<p>
      <label>${field.name} ${renderInput(field, value)}</label>
      ${hint === "" ? null : html`<small>${hint}</small>`}
      <input type="hidden" name="was:${field.name}" value="${value}" />
    </p>`;
  });
}

function renderInput({ name, kind, choices, required }: Field, value: string): Html {
  const needed = required ? ["required"] : [];
  if (kind === "flag" || kind === "choice") {
    const options = kind === "flag" ? ["true", "false"] : choices;
    return html`<select name="${name}" ${needed}>
      ${["", ...options].map((option) =>
        option === value
          ? html`<option value="${option}" selected>${option}</option>`
          : html`<option value="${option}">${option}</option>`,
      )}
    </select>`;
  }
  if (kind === "lines" || kind === "json") {
    const rows = Math.min(12, value.split("\n").length + 1);
    const holder = kind === "lines" ? "one per line" : "JSON";
    // Browsers remove the first line break.
    return html`<textarea name="${name}" rows="${rows}" placeholder="${holder}" ${needed}>
${value}</textarea>`;
  }
  const type = { number: "number", secret: "password", text: "text" }[kind];
  return html`<input type="${type}" name="${name}" value="${value}" autocomplete="off" ${needed} />`;
}

function formatValue({ kind }: Field, value: unknown): string {
  if (value === undefined || value === null || kind === "secret") return "";
  // An encrypted value is shown masked, and would be lost if it were sent back.
  if (typeof value === "string" && value.startsWith("secure!")) return "";
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
}

/**
 * Returns the body that a form means: the fields that somebody has changed, and those that the service requires.
 * @throws SyntaxError when a field of JSON contains anything else
 */
export function parseForm(schema: JsonSchema, sent: SentForm): Record<string, unknown> {
  const text = (name: string) => {
    const value = sent[name];
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
  };
  const changed = listFields(schema).filter(
    ({ name, required }) => required || text(name) !== text(`was:${name}`),
  );
  return Object.fromEntries(changed.map((field) => [field.name, parseValue(field, text(field.name))]));
}

function parseValue({ kind, nullable, name }: Field, text: string): unknown {
  if (kind === "lines") return text === "" ? [] : text.replace(/\n$/, "").split("\n");
  if (text === "") return nullable ? null : "";
  if (kind === "number") return Number(text);
  if (kind === "flag") return text === "true";
  if (kind !== "json") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new SyntaxError(`${name} is not valid JSON.`);
  }
}
