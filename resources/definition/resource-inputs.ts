/**
 * Converts declared arguments to the inputs that the engine registers: replaces references by names or ids, and marks secrets.
 * The library's classes register outputs, and a workspace file registers plain values.
 */
import type { Definition, Fields, Reference } from "./definition.js";
import { addArticle } from "./problems.js";
import type { ProviderEngine } from "./provider-engine.js";
import { buildProviderText, PROVIDER_KEY } from "./provider-text.js";
import { mapReferences } from "./reference-paths.js";
import { listSecretNames } from "./secrets/mask.js";

/** A declared resource that arguments of others may refer to. */
export interface Referred {
  readonly type: string;
  /** Declared arguments. */
  readonly args: Fields;
  /** An argument or output. */
  property(name: string): unknown;
  /** The last part of the id, as a number unless `text` is set. */
  lastOfId(text: boolean): unknown;
}

/** The last part of an id, as a number unless `text` is set. */
export function getLastPart(id: string, text: boolean): string | number {
  const last = decodeURIComponent(id.split("/").at(-1) ?? "");
  // Mocks of unit tests may have any ids.
  return text || !/^\d+$/.test(last) ? last : Number(last);
}

/** How a caller creates inputs. */
export interface InputValues {
  /** The resource that a value is; undefined for any other value. */
  readonly referred: (value: unknown, arg: string) => Referred | undefined;
  readonly secret: (value: unknown) => unknown;
  /** Converts a value that is known later; undefined for any other value. Absent where all values are known. */
  readonly later?: (value: unknown, convert: (value: unknown) => unknown) => unknown;
}

/**
 * The inputs of a resource, without its own outputs.
 * @throws {TypeError} when an argument refers to a resource of another type
 */
export function buildInputs(
  definition: Definition,
  name: string,
  args: Fields,
  values: InputValues,
  engine: ProviderEngine = "dynamic",
): Fields {
  const inputs: Record<string, unknown> = { ...args };
  const whenKnown = (value: unknown, convert: (value: unknown) => unknown) =>
    values.later?.(value, convert) ?? convert(value);
  for (const [arg, reference] of Object.entries(definition.references)) {
    const value = args[arg];
    const replaced = (inner: Reference) => (item: unknown) => {
      const referred = values.referred(item, arg);
      if (referred === undefined) return item;
      if (referred.type === inner.to) return getReferredValue(inner, referred);
      throw new TypeError(
        `${definition.type} "${name}": ${arg} must be ${addArticle(inner.to)}, not ${addArticle(referred.type)}`,
      );
    };
    if (value !== undefined)
      inputs[arg] = whenKnown(value, (known) =>
        mapReferences(reference, known, (inner, item) => whenKnown(item, replaced(inner))),
      );
    for (const [copied, output] of listCopiedArgs(reference, args)) {
      const copy = whenKnown(value, (known) => values.referred(known, arg)?.property(output));
      if (copy !== undefined) inputs[copied] = copy;
    }
  }
  for (const arg of listSecretNames(definition, args))
    if (inputs[arg] !== undefined) inputs[arg] = values.secret(inputs[arg]);
  return { ...inputs, ...buildCommonInputs(definition.type, engine) };
}

/** The inputs that every resource has besides its own. They are also outputs. */
export function buildCommonInputs(type: string, engine: ProviderEngine): Fields {
  return engine === "dynamic" ? { [PROVIDER_KEY]: buildProviderText(type) } : {};
}

function getReferredValue({ property }: Reference, referred: Referred): unknown {
  if (property !== undefined && referred.args[property] !== undefined) return referred.property(property);
  return referred.lastOfId(property !== undefined);
}

/** Arguments that are copied from the resource to which another argument refers, and the outputs that they are copied from. */
export function listCopiedArgs(reference: Reference, args: Fields): [arg: string, output: string][] {
  return Object.entries(reference.copies ?? {}).filter(([arg]) => args[arg] === undefined);
}
