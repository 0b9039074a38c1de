/** Reads values that a program should not contain from the stack's configuration. */
import { getArgsShape, type Definition, type Fields } from "../../../../provider/index.js";
import { mapDeep } from "../../../../diff/values.js";
import { chooseFreeName } from "../../../lists.js";
import { AsWritten } from "../../../../workspace-file/edit/index.js";
import type { Declarable } from "../declare.js";
import { formatPlaceholderOf } from "../placeholders.js";
import { nameUses } from "../print-remaining.js";
import { toCamelCase } from "./identifiers.js";
import { Expression, renderLiteral } from "./literals.js";

/** Keys of the connection, which share the namespace of a project that is named like the package. */
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
  /** Expressions that read values, by the text of the placeholder. */
  private readonly reads = new Map<string, string>();
  /** The commands that set the values, with comments that describe them. */
  readonly commands: readonly string[];

  constructor({ declarations, needed }: Pick<Declarable, "declarations" | "needed">) {
    const taken = new Set(CONNECTION_KEYS);
    const byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    const lines: [command: string, what: string][] = [];
    for (const one of needed) {
      const { variable, name, arg } = one;
      const { definition, args } = byName.get(name)!;
      const secret = isSecret(definition, args, arg);
      const key = chooseFreeKey(variable, taken);
      const read = `require${secret ? "Secret" : ""}${chooseKind(definition, args, arg)}`;
      for (const hidden of [true, false])
        this.reads.set(formatPlaceholderOf(variable, hidden), `config.${read}("${key}")`);
      lines.push([`pulumi config set ${secret ? "--secret " : ""}${key}`, nameUses(one)]);
    }
    const width = Math.max(0, ...lines.map(([command]) => command.length));
    this.commands = lines.map(([command, what]) => `${command.padEnd(width)}  # ${what}`);
  }

  /** Replaces placeholders by expressions that read the configuration; undefined for a value without placeholders. */
  filled(value: unknown): Expression | undefined {
    if (value instanceof AsWritten) return new Expression(this.read(value));
    // A part of a list or of an object is known only when the program runs.
    const reads = new Map<string, string>();
    const whole = mapDeep(value, (part) => {
      if (!(part instanceof AsWritten)) return part;
      const name = `value${reads.size === 0 ? "" : reads.size + 1}`;
      reads.set(name, this.read(part));
      return new Expression(name);
    });
    const [names, all] = [[...reads.keys()].join(", "), [...reads.values()].join(", ")];
    if (reads.size === 0) return undefined;
    if (reads.size === 1) return new Expression(`${all}.apply((${names}) => (${renderLiteral(whole)}))`);
    return new Expression(`pulumi.all([${all}]).apply(([${names}]) => (${renderLiteral(whole)}))`);
  }

  private read({ text }: AsWritten): string {
    const read = this.reads.get(text);
    if (read === undefined) throw new TypeError(`${text} is required, and has no value`);
    return read;
  }
}

/** A value that the service encrypts, or that looks like a secret, is one; a value that it merely never returns is not. */
function isSecret(definition: Definition, args: Fields, arg: string): boolean {
  return definition.secret(args).includes(arg) || !definition.writeOnly(args).includes(arg);
}

/** Chooses the method that reads the configuration: for a text, unless the schema accepts only booleans or numbers. */
function chooseKind(definition: Definition, args: Fields, arg: string): "" | "Number" | "Boolean" {
  const schema = getArgsShape(definition, args)[arg];
  const takes = (value: unknown) => schema?.safeParse(value).success === true;
  if (schema === undefined || takes("a")) return "";
  if (takes(true)) return "Boolean";
  return takes(1) ? "Number" : "";
}

function chooseFreeKey(variable: string, taken: Set<string>): string {
  const wanted = toCamelCase(variable.split("_").filter((word) => word !== "")) || "value";
  const key = chooseFreeName(
    (name) => taken.has(name),
    (suffix) => wanted + suffix,
    "",
  );
  taken.add(key);
  return key;
}
