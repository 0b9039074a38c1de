/** Holds the list of what programs can import, with the types of functions and the properties of types. Run with `-u` after a deliberate change. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(root, "packages/library/package.json"), "utf8")) as {
  exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** The sources of the modules that are exported, by import path. */
const modules = new Map([
  ...Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [[path, target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1.ts")] as const],
  ),
  ["workspacectl", "cli/api/index.ts"] as const,
]);

it("the public names are those of the list", async () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path)) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    [...modules.values()].map((file) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const lines: string[] = [];
  for (const [path, file] of modules) {
    const values = Object.keys((await import(join(root, file))) as object);
    const source = program.getSourceFile(join(root, file));
    const symbol = source && checker.getSymbolAtLocation(source);
    const names = (symbol ? checker.getExportsOfModule(symbol) : []).map((one) =>
      values.includes(one.getName()) ? valueLine(one, checker) : typeLine(one, checker),
    );
    lines.push(`## ${path}`, "", ...names.sort(), "");
  }
  await expect(lines.join("\n")).toMatchFileSnapshot("public-names.txt");
}, 600_000);

it("the provider's entry point, which old states refer to, exports get alone", async () => {
  expect(Object.keys(await import("../../provider/public.js"))).toEqual(["get"]);
});

/** Describes a type by the names of its properties, or by itself if it has none. */
function typeLine(exported: ts.Symbol, checker: ts.TypeChecker): string {
  const symbol = resolved(exported, checker);
  // The areas of the client are exported for their types only. A schema and its type have one name.
  const isValue =
    (symbol.flags & ts.SymbolFlags.Variable) !== 0 && (symbol.flags & ts.SymbolFlags.Type) === 0;
  const type = isValue ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0;
  const names = isObject ? type.getProperties().map(propertyName) : [];
  const text = isObject ? `{ ${names.sort().join(", ")} }` : checker.typeToString(type, undefined, ALIASED);
  return `type ${exported.getName()}: ${text}`;
}

const ALIASED = ts.TypeFormatFlags.InTypeAlias;

function propertyName(property: ts.Symbol): string {
  // The compiler numbers the names of symbols.
  const name = property.getName().replace(/^__@(\w+)@\d+$/, "[$1]");
  return `${name}${property.flags & ts.SymbolFlags.Optional ? "?" : ""}`;
}

function resolved(exported: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
}

/** Describes a function by its type, which the compiler shortens, and a class by its constructor and members. */
function valueLine(exported: ts.Symbol, checker: ts.TypeChecker): string {
  const name = exported.getName();
  const symbol = resolved(exported, checker);
  if (symbol.flags & ts.SymbolFlags.Class) {
    const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
    return `class ${name}: { ${members.map(propertyName).sort().join(", ")} }`;
  }
  return `${name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol))}`;
}
