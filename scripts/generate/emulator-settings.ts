/** Generates the tables of settings in docs/emulator.md. */
import { z } from "zod";
import {
  furtherSettings,
  measuredSettings,
  ownSettings,
  type SettingDeclaration,
} from "../../emulator/settings.js";
import { replaceSection } from "../section.js";

type Declarations = Readonly<Record<string, SettingDeclaration>>;

/** Returns the page with updated tables. */
export function renderEmulatorPage(): string {
  const parts = [
    "Settings that [a probe measures](before-you-trust-it.md):",
    renderTable(measuredSettings),
    "Further settings of a service:",
    renderTable(furtherSettings),
    "Settings of the emulator itself, which are not part of a profile:",
    renderTable(ownSettings),
  ];
  return replaceSection(
    "docs/emulator.md",
    "`npm run generate` from emulator/settings.ts",
    parts.join("\n\n"),
  );
}

function renderTable(settings: Declarations): string {
  const rows = Object.entries(settings).map(
    ([name, { schema, standard, meaning }]) =>
      `| \`${name}\` | ${renderValue(standard)} | ${renderAlternatives(schema, standard)} | ${meaning} |`,
  );
  return ["| Setting | Default | Others | Meaning |", "|---|---|---|---|", ...rows].join("\n");
}

interface JsonSchema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

function renderAlternatives(schema: z.ZodType, standard: unknown): string {
  const json = z.toJSONSchema(schema) as JsonSchema;
  if (json.items !== undefined) return `a list of ${listValues(json.items).map(renderValue).join(", ")}`;
  const values = listValues(json).filter((value) => value !== standard);
  return values.length === 0 ? "a number" : values.map(renderValue).join(", ");
}

function listValues({ type, enum: values, anyOf, const: value }: JsonSchema): readonly unknown[] {
  if (type === "boolean") return [true, false];
  if (value !== undefined) return [value];
  return values ?? anyOf?.flatMap(listValues) ?? [];
}

function renderValue(value: unknown): string {
  const text = Array.isArray(value) ? value.join(", ") || "none" : String(value);
  return typeof value === "string" ? `\`${text}\`` : text;
}
