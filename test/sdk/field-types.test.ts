/**
 * Checks that the generated type of every argument of every class accepts the same kinds of values as the
 * schema.
 */
import { readFileSync } from "node:fs";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { definitions } from "../../provider/index.js";

/** Holds a literal of each kind. */
const samples = { string: '"text"', number: "5", boolean: "true", null: "null", array: "[]", object: "{}" };
type Kind = keyof typeof samples;

interface Json {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Json[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Returns the kinds of values that a schema accepts, or undefined if it accepts any. */
function kindsOf(schema: Json): readonly Kind[] | undefined {
  if (schema.anyOf) {
    const kinds = schema.anyOf.map(kindsOf);
    return kinds.includes(undefined) ? undefined : (kinds.flat() as Kind[]);
  }
  if (schema.type === undefined) return undefined;
  return [schema.type].flat().map((type) => (type === "integer" ? "number" : type) as Kind);
}

interface Field {
  readonly title: string;
  readonly type: string;
  readonly kinds: readonly Kind[];
  readonly words: boolean;
}

const pascal = (words: string) =>
  words
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");

type Shape = Readonly<Record<string, z.core.$ZodType>>;

const fields: Field[] = definitions.flatMap(({ type, args, variants }) => {
  const none: Readonly<Record<string, { readonly args: Shape }>> = { "": { args: {} } };
  const kinds = Object.entries<{ readonly args: Shape }>(variants?.of ?? none);
  return kinds.flatMap(([kind, variant]) =>
    Object.entries<z.core.$ZodType>({ ...(args.shape as Shape), ...variant.args }).flatMap(
      ([name, schema]) => {
        const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Json;
        const accepted = kindsOf(json);
        const words = json.enum !== undefined || json.const !== undefined;
        const owner = `${pascal(kind)}${type}Args`;
        return accepted
          ? [{ title: `${owner}.${name}`, type: `${owner}["${name}"]`, kinds: accepted, words }]
          : [];
      },
    ),
  );
});

/** Holds the compiler's messages by line of the program. */
const messages = new Map<number, string>();
const lines: string[] = [];
const lineOf = (type: string, kind: Kind) => {
  const line = `take<${type}>(${samples[kind]});`;
  const index = lines.indexOf(line);
  return index < 0 ? lines.push(line) - 1 : index;
};
for (const { type } of fields) for (const kind of Object.keys(samples) as Kind[]) lineOf(type, kind);

beforeAll(() => {
  // An input is a plain value here, since outputs and resources are irrelevant.
  const files: Record<string, string> = {
    "/pulumi.d.ts": `declare module "@pulumi/pulumi" {
      export type Input<T> = T; export type ID = string; export interface Output<T> { readonly value: T }
      export interface CustomResourceOptions { readonly parent?: object; readonly id?: string } }`,
    "/resource.ts": `export class WorkspaceResource {
        declare readonly urn: string;
        constructor(...a: unknown[]) { void a; }
        static isInstance(value: unknown): value is WorkspaceResource { return value instanceof WorkspaceResource; }
      }
      export type StateOf<T> = Partial<T>;
      export declare function isOfType(value: unknown, type: string): boolean;`,
    "/resources.ts": readFileSync("sdk/nodejs/resources.ts", "utf8"),
    "/program.ts": `${lines.join("\n")}\nimport type * as all from "./resources.js";\n${[
      ...new Set(fields.map(({ type }) => type.split("[")[0])),
    ]
      .map((name) => `type ${name} = all.${name};`)
      .join("\n")}\ndeclare function take<T>(value: T): void;`,
  };
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ["lib.es2022.d.ts"] },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022 },
  };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  const readFile = host.readFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name in files || fileExists(name);
  host.readFile = (name) => files[name] ?? readFile(name);
  host.getSourceFile = (name, target) =>
    name in files ? ts.createSourceFile(name, files[name] ?? "", target) : getSourceFile(name, target);
  const program = ts.createProgram(Object.keys(files), options, host);
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
    const text = ts.flattenDiagnosticMessageText(messageText, "\n");
    if (file === undefined || start === undefined) throw new Error(text);
    const { line } = file.getLineAndCharacterOfPosition(start);
    if (file.fileName !== "/program.ts" || line >= lines.length)
      throw new Error(`${file.fileName}:${line + 1}: ${text}`);
    messages.set(line, text);
  }
}, 600_000);

describe.each(fields)("$title", ({ type, kinds, words }) => {
  const complaint = (kind: Kind) => messages.get(lineOf(type, kind));

  it("accepts the kinds of values in the schema", () => {
    const plain = kinds.filter((kind) => kind !== "object" && !(kind === "string" && words));
    for (const kind of plain) if (!words) expect(complaint(kind), `${type} ${kind}`).toBeUndefined();
  });

  it("refuses all other kinds of values", () => {
    const others = (Object.keys(samples) as Kind[]).filter((kind) => !kinds.includes(kind));
    expect(others.filter((kind) => complaint(kind) === undefined)).toEqual([]);
  });
});

it("text arguments that can be cleared accept null", () => {
  const titles = fields.filter(({ kinds }) => kinds.includes("null")).map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining(["GroupArgs.description", "VariableArgs.description", "UserKeyArgs.title"]),
  );
});
