/** Values that no program should hold, as the stack's configuration: their keys, how they are read, and how they are set. */
import type { z } from "zod";
import { argsSchema, type Definition, type Fields } from "../../../../provider/index.js";
import { AsWritten } from "../../../../workspace-file/edit/index.js";
import type { Declarable } from "../declare.js";
import { placeholderOf } from "../placeholders.js";
import { camelCase } from "./identifiers.js";
import { Expression, literal } from "./literals.js";

/** The connection's own keys: a project that is called like our package has them in the same place. */
const CONNECTION_KEYS = [
  "allowInsecure",
  "allowPaths",
  "baseUrl",
  "connection",
  "file",
  "overlays",
  "token",
  "workspace",
];

export class ProgramSettings {
  /** The expression that reads a value, by the text of its placeholder. */
  private readonly reads = new Map<string, string>();
  /** Lines that say how each is set, and what it is. */
  readonly commands: readonly string[];

  constructor({ declarations, needed }: Pick<Declarable, "declarations" | "needed">) {
    const taken = new Set(CONNECTION_KEYS);
    const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    const lines: [command: string, what: string][] = [];
    for (const { variable, name, arg } of needed) {
      const { definition, args } = byName.get(name)!;
      const secret = isSecret(definition, args, arg);
      const key = freeKey(variable, taken);
      const read = `require${secret ? "Secret" : ""}${kindOf(definition, args, arg)}`;
      for (const hidden of [true, false])
        this.reads.set(placeholderOf(variable, hidden), `config.${read}("${key}")`);
      lines.push([`pulumi config set ${secret ? "--secret " : ""}${key}`, `${name}: ${arg}`]);
    }
    const width = Math.max(0, ...lines.map(([command]) => command.length));
    this.commands = lines.map(([command, what]) => `${command.padEnd(width)}  # ${what}`);
  }

  /** The value with what is read in place of placeholders, or undefined when it has none. */
  filled(value: unknown): Expression | undefined {
    if (value instanceof AsWritten) return new Expression(this.read(value));
    const inner = placeholdersIn(value);
    const [only, ...others] = inner;
    if (only === undefined) return undefined;
    // A part of a list or of an object is known only when the program runs.
    if (others.length === 0) {
      const whole = replaced(value, () => "value");
      return new Expression(`${this.read(only)}.apply((value) => (${literal(whole)}))`);
    }
    const names = new Map(inner.map((each, index) => [each, `value${index + 1}`]));
    const whole = replaced(value, (each) => names.get(each) ?? "");
    const all = inner.map((each) => this.read(each)).join(", ");
    const parameters = [...names.values()].join(", ");
    return new Expression(`pulumi.all([${all}]).apply(([${parameters}]) => (${literal(whole)}))`);
  }

  private read({ text }: AsWritten): string {
    const read = this.reads.get(text);
    if (read === undefined) throw new TypeError(`${text} is asked for, and nobody says what it is`);
    return read;
  }
}

/** A value that the service only never shows (a schedule) is no secret; one that it encrypts, or that looks like it, is. */
function isSecret(definition: Definition, args: Fields, arg: string): boolean {
  return definition.secret(args).includes(arg) || !definition.writeOnly(args).includes(arg);
}

/** Numbers and truth values are read as such; of what may be a text too, the text is taken. */
function kindOf(definition: Definition, args: Fields, arg: string): "" | "Number" | "Boolean" {
  const schema = (argsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>)[arg];
  const takes = (value: unknown) => schema?.safeParse(value).success === true;
  if (schema === undefined || takes("a")) return "";
  if (takes(true)) return "Boolean";
  return takes(1) ? "Number" : "";
}

function freeKey(variable: string, taken: Set<string>): string {
  const wanted = camelCase(variable.split("_").filter((word) => word !== "")) || "value";
  let key = wanted;
  for (let number = 2; taken.has(key); number += 1) key = `${wanted}${number}`;
  taken.add(key);
  return key;
}

function placeholdersIn(value: unknown): AsWritten[] {
  if (value instanceof AsWritten) return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(placeholdersIn);
}

function replaced(value: unknown, name: (placeholder: AsWritten) => string): unknown {
  if (value instanceof AsWritten) return new Expression(name(value));
  if (Array.isArray(value)) return value.map((item) => replaced(item, name));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
    key,
    replaced(inner, name),
  ]);
  return Object.fromEntries(entries);
}
