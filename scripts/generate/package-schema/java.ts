/** Completes the Java programs that Pulumi's generator writes: it omits enumerations, and conversions of numbers. */
import type { ResourceSpec } from "./resources.js";
import { buildToken, type NamedType, type TypeSpec } from "./types.js";

type Specs = Readonly<Record<string, TypeSpec>>;

/** The part of a package's schema that is needed. */
export interface JavaSchema {
  readonly resources: Readonly<Record<string, Pick<ResourceSpec, "inputProperties">>>;
  readonly types: Readonly<Record<string, NamedType>>;
}

const PACKAGE = "com.pulumi.workspaceautomation";

export function completeJava(java: string, schema: JavaSchema): string {
  const imports = new Set<string>();
  const owners: Specs[] = [];
  let property: TypeSpec | undefined;
  const lines = java.split("\n").map((line) => {
    // An argument belongs to the enclosing object, and may contain another one.
    const name = /^ +\.(\w+)\(/.exec(line)?.[1];
    if (name !== undefined) property = owners.at(-1)?.[name];
    const began = /(\w+)Args\.builder\(\)/.exec(line)?.[1];
    if (began !== undefined) owners.push(getProperties(began, schema));
    else if (/\.build\(\)/.test(line)) owners.pop();
    else if (property !== undefined) return convertLine(line, property, schema, imports);
    return line;
  });
  const text = lines.map((line) => line.trimEnd()).join("\n");
  const added = [...imports].toSorted().map((one) => `import ${one};\n`);
  return withoutUnusedImports(text.replace(/^import /m, `${added.join("")}import `));
}

function getProperties(type: string, { resources, types }: JavaSchema): Specs {
  return resources[buildToken(type)]?.inputProperties ?? types[buildToken(type)]?.properties ?? {};
}

function convertLine(line: string, spec: TypeSpec, { types }: JavaSchema, imports: Set<string>): string {
  const item = spec.items ?? spec;
  const type = item.$ref?.replace("#/types/", "") ?? "";
  const members = types[type]?.enum;
  if (members !== undefined) {
    const name = type.slice(buildToken("").length);
    return line.replace(/"([^"]*)"/g, (text, value: string) => {
      const member = members.find((one) => one.value === value);
      if (member === undefined) return text;
      imports.add(`${PACKAGE}.enums.${name}`);
      return `${name}.${member.name}`;
    });
  }
  // The id of an object is a number. Most arguments also take its name.
  const isEither = item.oneOf?.some(({ type: one }) => one === "integer") === true;
  if (!isEither && !(spec.items !== undefined && item.type === "integer")) return line;
  return line.replace(/\b(\w+\.\w+Id\(\))/g, (number) => {
    if (isEither) imports.add("com.pulumi.core.Either");
    if (spec.items === undefined) return `${number}.applyValue(Either::ofRight)`;
    imports.add("java.util.List");
    return `${number}.applyValue(id -> List.of(${isEither ? "Either.ofRight(id)" : "id"}))`;
  });
}

/** Removes what the generator imports in case that a program needs it. */
function withoutUnusedImports(java: string): string {
  const code = java.replace(/^import .*$/gm, "");
  return java.replace(/^import (?:\w+\.)*(\w+);\n/gm, (line, name: string) =>
    new RegExp(`\\b${name}\\b`).test(code) ? line : "",
  );
}
