/** Lists the resources that a program declares, in the order of the workspace file of these objects, and the settings that it reads. */
import { z } from "zod";
import { mapDeep } from "../../../diff/values.js";
import { type Definition, type Fields, getArgsShape } from "../../../provider/index.js";
import { chooseFreeName } from "../../../text/lists.js";
import { AsWritten } from "../../../workspace-file/edit/edit.js";
import { readDeclarations, Ref, type ResourceDeclaration } from "../../../workspace-file/load/load.js";
import type { Placeholder } from "../../../workspace-file/syntax/tree.js";
import { documentText } from "../../../workspace-file/write/write.js";
import type { Declarable } from "../declare.js";
import { nameUses } from "../remaining.js";
import type { Exported } from "../writers/writer.js";
import { formatPlaceholderOf } from "../written-values.js";
import { Expression, renderInterpolation, renderLiteral, toCamelCase } from "./literals.js";

/** One resource of the program. */
export interface Resource {
  /** Name of its class. */
  readonly type: string;
  /** Its logical name, as in the workspace file, so that both forms work on the same stack. */
  readonly name: string;
  readonly noun: string;
  /** Arguments, with a `Ref` for each reference and an `Expression` for each value from the configuration. */
  readonly args: Fields;
  readonly after: string | undefined;
  readonly options: Pick<ResourceDeclaration, "formerNames" | "retain" | "protect">;
}

/** Lists the resources, each after those that it refers to. */
export function buildResources({ document, declared }: Exported, settings: ProgramSettings): Resource[] {
  const text = documentText(document);
  const { declarations } = readDeclarations("-", { mock: true, env: {}, stdin: () => text });
  const found = new Map(declared.declarations.map((declaration) => [declaration.name, declaration]));
  return orderInPlace(declarations).map((declaration) => {
    const { definition, name, after, formerNames, retain, protect } = declaration;
    const args = buildArgs(declaration, found.get(name)?.args ?? {}, settings);
    const options = { formerNames, retain, protect };
    return {
      type: chooseClass(definition, declaration.args),
      noun: definition.noun,
      name,
      args,
      after,
      options,
    };
  });
}

/** A variant that is not selected by a literal has its own class: see scripts/generate/resources.ts. */
function chooseClass({ type, variants }: Definition, args: Fields): string {
  const variant = variants?.select(args);
  if (variants === undefined || variant === undefined) return type;
  const isOpen = !Object.values(variants.of[variant]?.args ?? {}).some((arg) => arg instanceof z.ZodLiteral);
  return isOpen ? `${variant.charAt(0).toUpperCase()}${variant.slice(1)}${type}` : type;
}

/** Moves a resource that owns the order of a list to the end of the list's parent. */
function orderInPlace(declarations: readonly ResourceDeclaration[]): ResourceDeclaration[] {
  // Resources with an entry in the file have names made of pairs of section and key.
  const isKeeper = ({ name }: ResourceDeclaration) => name.split("/").length % 2 === 1;
  const placed = declarations.filter((declaration) => !isKeeper(declaration));
  for (const keeper of declarations.filter(isKeeper)) {
    const parent = keeper.name.slice(0, keeper.name.lastIndexOf("/") + 1);
    const last = placed.findLastIndex(({ name }) => name.startsWith(parent));
    placed.splice(last + 1, 0, keeper);
  }
  return placed;
}

/** Puts the parent and the key first, and omits the workspace, which comes from the connection. */
function buildArgs(
  { definition, args }: ResourceDeclaration,
  found: Fields,
  settings: ProgramSettings,
): Fields {
  const { under = {}, keyedBy } = definition.document ?? {};
  const places = Object.values(under).flatMap((arg) => (arg === null ? [] : ["project", arg]));
  const first = [...new Set([...places, ...(keyedBy === undefined ? [] : [keyedBy])])];
  const names = [...first, ...Object.keys(args).filter((name) => !first.includes(name))];
  return Object.fromEntries(
    names
      .filter((name) => args[name] !== undefined && name !== "workspace")
      .map((name) => [name, settings.filled(found[name]) ?? args[name]]),
  );
}

/** Lists the names of all resources that a value refers to. */
export function refersTo(value: unknown): string[] {
  if (value instanceof Ref) return [value.name];
  if (value instanceof Expression || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(refersTo);
}

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

  private read({ pieces }: AsWritten): string {
    const reads = pieces.map((piece) => (typeof piece === "string" ? piece : this.readPlaceholder(piece)));
    const [only] = reads;
    if (only instanceof Expression && reads.length === 1) return only.text;
    return renderInterpolation(reads);
  }

  private readPlaceholder({ whole }: Placeholder): Expression {
    const read = this.reads.get(whole);
    if (read === undefined) throw new TypeError(`${whole} is required, and has no value`);
    return new Expression(read);
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
