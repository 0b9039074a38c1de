/** Generates the resource types of the Pulumi package. */
import type { z } from "zod";
import { isListable, listInputs } from "../../../provider/discovery/list-objects.js";
import { type Definition, type Fields, findDefinition } from "../../../provider/index.js";
import { importForms, importFormText } from "../../../resources/definition/import-id.js";
import type { PackageType } from "../../../resources/package-types.js";
import { describe, isOptional } from "../describe.js";
import { getReferredOutput, renderExamples } from "./examples.js";
import {
  buildToken,
  type JsonSchema,
  type NamedTypes,
  type ObjectSpec,
  type PropertySpec,
  toJsonSchema,
} from "./types.js";

export interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
  readonly listInputs?: ObjectSpec;
  readonly aliases?: readonly { readonly type: string }[];
}

/** Argument with its schemas in all variants of a type. */
interface Argument {
  readonly schemas: readonly z.ZodType[];
  /** Variants that have the argument. Empty when all have it. */
  readonly kinds: readonly string[];
  readonly required: boolean;
}

export function createResourceSpec(definition: Definition, types: NamedTypes): ResourceSpec {
  const args = getArguments(definition);
  return {
    description: describeResource(definition),
    ...buildProperties(definition, types, args, {}),
  };
}

/** A type for one variant. Objects of the type for all variants become ones of it by an alias, without a change. */
export function variantSpec(
  { definition, kind = "", implied }: PackageType,
  types: NamedTypes,
): ResourceSpec {
  const { description, args } = definition.variants?.of[kind] ?? { description: "", args: {} };
  const all = getArguments(definition);
  const shape = { ...(definition.args.shape as Readonly<Record<string, z.ZodType>>), ...args };
  const own = mapEntries(shape, (name, schema): Argument => {
    const known = all[name]?.schemas ?? [];
    // An enumeration has one name only, so it has the values of all variants.
    const schemas = known.length > 0 ? known : [schema];
    return { schemas, kinds: [], required: !isOptional(schema) };
  });
  return {
    description: `${description}\n\n${renderExamples(definition, kind)}`,
    ...buildProperties(definition, types, own, implied),
    aliases: [{ type: buildToken(definition.type) }],
  };
}

function buildProperties(
  definition: Definition,
  types: NamedTypes,
  args: Readonly<Record<string, Argument>>,
  implied: Fields,
): Omit<ResourceSpec, "description"> {
  const all = mapEntries(args, (name, argument) => createInputSpec(definition, types, name, argument));
  const inputs = Object.fromEntries(Object.entries(all).filter(([name]) => !(name in implied)));
  const outputSpecs = Object.entries(definition.outputs).map(([name, { schema }]): [string, PropertySpec] => [
    name,
    { ...createProperty(definition, types, name, [schema]), description: describe(schema) || undefined },
  ]);
  const outputs = Object.fromEntries(outputSpecs);
  const isInState = (name: string) => !definition.clientOnly.includes(name) && !(name in outputs);
  const stateInputs = Object.entries(all).filter(([name]) => isInState(name));
  const required = Object.keys(args).filter((name) => args[name]?.required);
  const always = outputSpecs
    .filter(([name]) => !isOptional(definition.outputs[name]?.schema))
    .map(([name]) => name);
  return {
    type: "object",
    properties: { ...Object.fromEntries(stateInputs), ...outputs, address: ADDRESS },
    required: [...new Set([...required, ...always, "address"])].filter(isProperty).sort(),
    inputProperties: inputs,
    requiredInputs: required.filter((name) => !(name in implied)).sort(),
    ...(Object.keys(implied).length === 0 ? listSpec(definition, inputs) : {}),
  };

  function isProperty(name: string): boolean {
    return name === "address" || name in outputs || isInState(name);
  }
}

const ADDRESS: PropertySpec = {
  type: "string",
  description: "Address of the workspace that the object is in.",
};

function describeResource(definition: Definition): string {
  const forms = importForms(definition);
  const imports =
    forms.length === 0
      ? ""
      : `\n## Import\n\nAn existing ${definition.noun} is imported by its id:\n\n\`\`\`sh\n${forms
          .map((form) => `pulumi import ${buildToken(definition.type)} example ${importFormText(form)}\n`)
          .join("")}\`\`\`\n`;
  return `${definition.description}\n\n${renderExamples(definition)}${imports}`;
}

/** Merges the arguments of all variants, because a Pulumi resource has one flat list of properties. */
function getArguments(definition: Definition): Record<string, Argument> {
  const kinds = Object.entries(definition.variants?.of ?? {});
  const common = definition.args.shape as Readonly<Record<string, z.ZodType>>;
  const found: Record<string, Argument> = mapEntries(common, (_name, schema) => ({
    schemas: [schema],
    kinds: [],
    required: !isOptional(schema),
  }));
  for (const [kind, { args }] of kinds)
    for (const [name, schema] of Object.entries(args)) {
      const known = found[name];
      const isCommon = name in common;
      found[name] = {
        schemas: [...(known?.schemas ?? []), schema],
        kinds: isCommon ? [] : [...(known?.kinds ?? []), kind],
        required: isCommon && (known?.required ?? false),
      };
    }
  return found;
}

function createInputSpec(
  definition: Definition,
  types: NamedTypes,
  name: string,
  { schemas, kinds }: Argument,
): PropertySpec {
  const texts = [
    ...new Set(findCopiedFrom(definition, name) ?? schemas.map(describe)),
    getReferredBy(definition, name),
    kinds.length === 0 ? "" : `Only for ${kinds.join(", ")}.`,
  ];
  const replaces = definition.replaceOn.includes(name);
  return {
    ...createProperty(definition, types, name, schemas),
    description: texts.filter((text) => text !== "").join(" ") || undefined,
    ...(replaces ? { willReplaceOnChanges: true } : {}),
  };
}

/** Describes an argument that the classes of the Node.js library copy by themselves. */
function findCopiedFrom({ references }: Definition, name: string): string[] | undefined {
  for (const [arg, { to, copies, identity }] of Object.entries(references)) {
    const from = copies?.[name];
    if (from === undefined) continue;
    const why = identity === name ? ". With it, a rename of that object does not replace this one" : "";
    return [`\`${from}\` of the ${to} that \`${arg}\` refers to${why}.`];
  }
  return undefined;
}

/** Describes which property of a resource an argument refers to. */
function getReferredBy({ references }: Definition, name: string): string {
  const { to, property: named, each } = references[name] ?? {};
  const other = findDefinition(to);
  if (other === undefined || each !== undefined) return "";
  return `For a ${other.type} of the program, its \`${getReferredOutput(other, named)}\`.`;
}

function createProperty(
  definition: Definition,
  types: NamedTypes,
  name: string,
  schemas: readonly z.ZodType[],
): PropertySpec {
  const isSecret = definition.secret({}).includes(name) && !definition.undocumented.includes(name);
  const json = schemas.map(toJsonSchema);
  const described = name === definition.variants?.chosenBy ? json.map(withMeaning(definition)) : json;
  return { ...types.of(described, definition.type, name), ...(isSecret ? { secret: true } : {}) };
}

/** Describes each value that selects a variant by the description of the variant. */
function withMeaning({ variants }: Definition): (schema: JsonSchema) => JsonSchema {
  return (schema) => {
    const kinds = Object.entries(variants?.of ?? {});
    const kind = kinds.find(
      ([name]) => typeof schema.const === "string" && name.split(" ")[0] === schema.const,
    );
    if (kind === undefined || typeof schema.const !== "string") return schema;
    return { ...schema, enumDescriptions: { [schema.const]: kind[1].description } };
  };
}

/** Returns the inputs that limit a list: the parents of the listed objects. */
function listSpec(
  definition: Definition,
  inputs: Readonly<Record<string, PropertySpec>>,
): Pick<ResourceSpec, "listInputs"> {
  if (!isListable(definition)) return {};
  const properties = listInputs(definition).flatMap((name): [string, PropertySpec][] => {
    const { willReplaceOnChanges: _, ...spec } = inputs[name] ?? {};
    return [[name, spec]];
  });
  return { listInputs: { type: "object", properties: Object.fromEntries(properties), required: [] } };
}

function mapEntries<A, B>(
  record: Readonly<Record<string, A>>,
  map: (name: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(name, value)]));
}
