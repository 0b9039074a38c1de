/**
 * Converts the declaration in a resource file to a `Definition`. The schemas determine the types of the handlers: a misspelled
 * argument, output, part of the id or field of the service does not compile.
 */
import { z } from "zod";
import type { ByArgs, Definition, Fields, Handlers, OutputField, Shape } from "./definition.js";
import type { DefinitionInput, OutputFields, VariantShapes } from "./handlers.js";
import { flag, optional, text } from "./primitives.js";

/** Arguments of every type. */
const commonArgs = {
  workspace: optional(
    text,
    "Domain of the workspace, as in its address. Default: the workspace of the connection.",
    "acme",
  ),
  adopt: flag(
    "Adopt an existing object of the same name, and update it. Without it, the creation fails when there is one. " +
      "`pulumi preview` shows a creation, and `workspacectl preview` what changes.",
    false,
  ),
};

export function output<const N extends string, T extends z.ZodType>(apiName: N, schema: T) {
  return { schema, apiName } as const satisfies OutputField;
}

/** An output with the id to which a reference argument was resolved. */
export function resolvedId(description: string) {
  return { schema: z.int().describe(description) } as const;
}

/** The same for an argument that may be omitted. */
export function maybeResolvedId(description: string) {
  return { schema: optional(z.int(), description) } as const;
}

export const htmlUrl = output("html_url", z.string().describe("Web address of the object."));

/** The argument that lists undocumented arguments without secrets. */
export function nonSecretArg<const N extends string>(...names: readonly [N, ...N[]]) {
  return optional(
    z.array(z.enum(names)),
    "Arguments that contain no secret. The service does not document the content of these arguments, so each is secret as a whole in " +
      "state, plans and reports, unless it is named here. It stays secret if a part of it looks like a secret.",
    [...names],
  );
}

/** Completes a declaration with defaults. */
export function defineResource<
  const S extends Shape,
  const O extends OutputFields,
  R extends object,
  const V extends VariantShapes = Readonly<Record<never, never>>,
  const T = Readonly<Record<never, never>>,
  W = Readonly<Record<never, never>>,
  const P extends string = never,
>(input: DefinitionInput<S, O, R, V, T, W, P>): Definition {
  // The types of the handlers are dropped only here. That is sound because crud/ calls them only with values that these
  // schemas describe: arguments that check has parsed, ids of resolved references, and outputs from responses.
  const erased = input as unknown as ErasedInput;
  const { undocumented = [], args, remote: _, ...rest } = erased;
  const secret = pickArgs(erased.secret);
  return {
    references: {},
    spelling: {},
    replaceOn: [],
    createOnly: [],
    sets: [],
    nested: {},
    mayBeHidden: [],
    confirmed: {},
    alwaysShown: [],
    permits: [],
    askInstead: {},
    adoptsExisting: false,
    apiFields: {},
    ephemeral: false,
    rules: () => {},
    validateChange: () => undefined,
    lost: () => [],
    replaceWhen: () => [],
    list: () => undefined,
    ...rest,
    sources(context, state) {
      const list = rest.list?.(context, state);
      return rest.sources(context, state, list === undefined ? [] : [list]);
    },
    clientOnly: ["adopt", ...(undocumented.length > 0 ? ["nonSecret"] : []), ...(rest.clientOnly ?? [])],
    undocumented,
    secret: (given) => [...secret(given), ...undocumented.filter((name) => !isNonSecret(given, name))],
    writeOnly: pickArgs(rest.writeOnly),
    masked: pickArgs(rest.masked),
    forceSend: pickArgs(rest.forceSend),
    args: z.strictObject({ ...args, ...commonArgs }),
  };
}

/** The input without the types of a resource's own arguments. */
type ErasedInput = Pick<Definition, "type" | "noun" | "description" | "outputs"> &
  Partial<
    Pick<
      Definition,
      "variants" | "references" | "apiFields" | "protect" | "ephemeral" | "runTimes" | "effect" | "brief"
    >
  > &
  Handlers & { readonly args: Shape; readonly remote: z.ZodType; readonly forceSend?: ByArgs };

/** Whether `nonSecret` names an argument. A list that is not known yet names none. */
function isNonSecret({ nonSecret }: Fields, name: string): boolean {
  return Array.isArray(nonSecret) && nonSecret.includes(name);
}

function pickArgs(names: ByArgs | undefined): (args: Fields) => readonly string[] {
  return typeof names === "function" ? names : () => names ?? [];
}
