/** Holds the list of what programs can import, with the types of functions. Run with `-u` after a deliberate change. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const { exports } = JSON.parse(readFileSync(join(root, "packages/library/package.json"), "utf8")) as {
  exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** The sources of the modules that are exported, by import path. */
const modules = new Map(
  Object.entries(exports).flatMap(([path, target]) =>
    typeof target === "string"
      ? []
      : [[path, target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1.ts")] as const],
  ),
);

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
      values.includes(one.getName()) ? valueLine(one, checker) : `type ${one.getName()}`,
    );
    lines.push(`## ${path}`, "", ...names.sort(), "");
  }
  await expect(lines.join("\n")).toMatchFileSnapshot("public-names.txt");
}, 60_000);

it("the provider's entry point, which old states refer to, exports get alone", async () => {
  expect(Object.keys(await import("../../provider/public.js"))).toEqual(["get"]);
});

/** Describes a function by its type, which the compiler shortens. */
function valueLine(exported: ts.Symbol, checker: ts.TypeChecker): string {
  const name = exported.getName();
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  if (symbol.flags & ts.SymbolFlags.Class) return `class ${name}`;
  return `${name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol))}`;
}
