/** Generates example programs of a resource type, in YAML and in TypeScript. */
import { stringify } from "yaml";
import { z } from "zod";
import {
  type Definition,
  type Fields,
  getDefinition,
  mapReferences,
  validateArgs,
} from "../../../provider/index.js";
import { listVariantTypes } from "../../../resources/package-types.js";
import { renderPcl } from "./pcl.js";
import { type Declared, mapValues, Reference } from "./program.js";

export const SDK = "workspace-automation-sdk";

export interface ExamplePrograms {
  /** Names the example among those of all types, such as `Action/BUILD`. */
  readonly id: string;
  readonly title: string;
  readonly pcl: string;
  readonly yaml: string;
  readonly typescript: string;
  /** With the classes of the library. */
  readonly library: () => string;
}

/**
 * Returns the part of a description that shows examples of a type.
 * @param kind the variant, for the type of a single one
 */
export function renderExamples(definition: Definition, kind?: string): string {
  const programs = kind === undefined ? listExamplePrograms(definition) : [variantProgram(definition, kind)];
  return renderExampleSection(programs);
}

export function renderExampleSection(programs: readonly ExamplePrograms[]): string {
  const examples = programs.map(renderExample);
  return `{{% examples %}}\n## Example Usage\n\n${examples.join("\n")}{{% /examples %}}\n`;
}

/** Returns the examples of a type. */
export function listExamplePrograms(definition: Definition): ExamplePrograms[] {
  const kinds = Object.entries(definition.variants?.of ?? {});
  // Of many variants, a few examples are enough.
  const shown = kinds.length === 0 ? [["Basic", undefined] as const] : kinds.slice(0, 3);
  return shown.map(([title, variant]) => {
    const program = listProgramObjects(definition, {
      ...definition.examples.create,
      ...variant?.examples.create,
    });
    return buildPrograms(`${definition.type}/${title}`, title, program);
  });
}

/** Returns the only example of a type. */
export const createExample = (type: string, program: readonly Declared[]): ExamplePrograms =>
  buildPrograms(`${type}/Basic`, "Basic", program);

function buildPrograms(id: string, title: string, program: readonly Declared[]): ExamplePrograms {
  return {
    id,
    title,
    pcl: renderPcl(program),
    yaml: renderYamlProgram(program),
    typescript: renderTypescriptProgram(program),
    library: () => renderLibraryProgram(program),
  };
}

/** Returns the example of a type for one variant. */
function variantProgram(definition: Definition, kind: string): ExamplePrograms {
  const { name, implied } = listVariantTypes(definition).find((type) => type.kind === kind) ?? {
    name: definition.type,
    implied: {},
  };
  const args = { ...definition.examples.create, ...definition.variants?.of[kind]?.examples.create };
  const program = listProgramObjects(definition, args).map((declared) => {
    if (declared.type !== definition.type) return declared;
    const own = Object.entries(declared.args).filter(([arg]) => !(arg in implied));
    return { ...declared, type: name, args: Object.fromEntries(own) };
  });
  return buildPrograms(name, "Basic", program);
}

function renderExample({ title, yaml, typescript }: ExamplePrograms): string {
  return `{{% example %}}
### ${title}

\`\`\`yaml
${yaml}\`\`\`
\`\`\`typescript
${typescript}\`\`\`
{{% /example %}}
`;
}

/** Returns the resource, after the resources to which it refers. */
export function listProgramObjects(definition: Definition, args: Fields): Declared[] {
  const program: Declared[] = [];
  add(definition, args, program);
  return program;
}

function add(definition: Definition, args: Fields, program: Declared[]): string {
  const name = toCamelCase(definition.type);
  const entries = Object.entries(args).flatMap(([arg, value]) => withCopies(definition, arg, value, program));
  if (!program.some((declared) => declared.name === name))
    program.push({ name, type: definition.type, args: Object.fromEntries(entries) });
  return name;
}

/** Returns the argument, with the arguments that are copied from the resource to which it refers. */
function withCopies(
  definition: Definition,
  arg: string,
  value: unknown,
  program: Declared[],
): [string, unknown][] {
  const own = withReferences(definition, arg, value, program);
  if (!(own instanceof Reference)) return [[arg, own]];
  const copies = Object.entries(definition.references[arg]?.copies ?? {});
  return [
    ...copies.map(([copied, from]): [string, unknown] => [copied, new Reference(own.resource, from)]),
    [arg, own],
  ];
}

function withReferences(definition: Definition, arg: string, value: unknown, program: Declared[]): unknown {
  const reference = definition.references[arg];
  if (reference === undefined) return value;
  return mapReferences(reference, value, (inner, item) => {
    if (typeof item !== "string" || !/^@[A-Z]/.test(item)) return item;
    const other = getDefinition(item.slice(1));
    const resource = add(other, pickLeastArgs(other), program);
    return new Reference(resource, getReferredOutput(other, inner.property));
  });
}

/** Returns the output that represents an object in a reference. Typed languages do not accept an argument that may be missing. */
export function getReferredOutput({ args, identity }: Definition, property: string | undefined): string {
  const schema = property === undefined ? undefined : (args.shape as Fields)[property];
  const isSet = schema instanceof z.ZodType && !schema.safeParse(undefined).success;
  return isSet && property !== undefined ? property : identity.state;
}

/** Returns the example without optional arguments. */
function pickLeastArgs(definition: Definition): Fields {
  const [variant] = Object.values(definition.variants?.of ?? {});
  let args: Fields = { ...definition.examples.create, ...variant?.examples.create };
  const names = Object.keys(args);
  // Some arguments require each other and can only be omitted together.
  const groups = [
    ...names.map((name) => [name]),
    ...names.flatMap((one) => names.map((other) => [one, other])),
  ];
  for (const omitted of groups) {
    const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !omitted.includes(name)));
    if (validateArgs(definition, rest).length === 0) args = rest;
  }
  return args;
}

function renderYamlProgram(program: readonly Declared[]): string {
  const resources = program.map(({ name, type, args }): [string, unknown] => [
    name,
    {
      type: `workspace-automation:${type}`,
      properties: mapValues(args, (reference) => `\${${reference.resource}.${reference.property}}`),
    },
  ]);
  return stringify({ resources: Object.fromEntries(resources) }, { lineWidth: 0 });
}

function renderTypescriptProgram(program: readonly Declared[]): string {
  const declarations = renderDeclarations(
    program,
    "workspace_automation.",
    (one) => `${one.resource}.${one.property}`,
  );
  return `import * as workspace_automation from "${SDK}";\n\n${declarations}`;
}

/** The same with the classes of the library, whose references take the resource itself, and so need no copies of its outputs. */
function renderLibraryProgram(program: readonly Declared[]): string {
  const short = program.map((declared) => {
    const references = Object.values(getDefinition(declared.type).references);
    const copied = new Set(references.flatMap(({ copies = {} }) => Object.keys(copies)));
    const args = Object.entries(declared.args).filter(([arg]) => !copied.has(arg));
    return { ...declared, args: Object.fromEntries(args) };
  });
  const classes = [...new Set(program.map(({ type }) => type))].join(", ");
  const declarations = renderDeclarations(short, "", ({ resource }) => resource);
  return `import { ${classes} } from "pulumi-workspace-automation";\n\n${declarations}`;
}

function renderDeclarations(
  program: readonly Declared[],
  namespace: string,
  refer: (reference: Reference) => string,
): string {
  return program
    .map(({ name, type, args }) => {
      const shown = mapValues(args, (reference) => `@@${refer(reference)}@@`);
      const text = JSON.stringify(shown, undefined, 4)
        .replace(/"@@(.*?)@@"/g, "$1")
        .replace(/^(\s*)"(\w+)":/gm, "$1$2:");
      return `const ${name} = new ${namespace}${type}("${name}", ${text});\n`;
    })
    .join("");
}

function toCamelCase(type: string): string {
  const head = /^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/.exec(type)?.[0] ?? "";
  return head.toLowerCase() + type.slice(head.length);
}
