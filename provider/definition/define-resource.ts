/**
 * Turns the declaration in a resource file into a `Definition`. Its schemas give the types of its handlers: a misspelt
 * argument, output, part of the id or field of the service does not compile.
 */
import { z } from "zod";
import { optional, flag } from "../definition/primitives.js";
import type { Fields, Definition, OutputField } from "./definition.js";
import type { DefinitionInput, OutputFields, Shape, VariantShapes } from "./handlers.js";
import { text } from "./primitives.js";

/** Arguments of every type. */
const commonArgs = {
  workspace: optional(
    text,
    "Domain of the workspace, as in its address. Default: the workspace of the connection.",
    "acme",
  ),
  adopt: flag(
    "Take over an existing object of the same name instead of refusing to create a second one.",
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

/** The argument by which an author declares that some undocumented arguments contain no secret. */
export function nonSecretArg<const N extends string>(...names: readonly [N, ...N[]]) {
  return optional(
    z.array(z.enum(names)),
    "Arguments that hold no secret. The service does not document what stands in them, so each is kept secret as a whole, in " +
      "state, plans and reports, unless it is named here; a part that looks like a secret keeps it so all the same.",
    [...names],
  );
}

/** Completes a declaration: what it omits has a default. */
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
  const secret = byArgs(erased.secret);
  return {
    references: {},
    replaceOn: [],
    sets: [],
    nested: {},
    mayBeHidden: [],
    confirmed: {},
    apiFields: {},
    protect: false,
    ephemeral: false,
    rules: () => {},
    validateChange: () => undefined,
    resent: () => [],
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
    writeOnly: byArgs(rest.writeOnly),
    masked: byArgs(rest.masked),
    alwaysSend: byArgs(rest.alwaysSend),
    args: z.strictObject({ ...args, ...commonArgs }),
  };
}

type ByArgs = readonly string[] | ((args: Fields) => readonly string[]);
type Erased = "args" | "sources" | "secret" | "writeOnly" | "masked" | "alwaysSend";

/** The input without the types of a resource's own arguments. */
type ErasedInput = Pick<
  Definition,
  | "type"
  | "noun"
  | "description"
  | "outputs"
  | "id"
  | "identity"
  | "naturalKey"
  | "examples"
  | "create"
  | "delete"
> &
  Partial<Omit<Definition, Erased>> & {
    readonly args: Shape;
    readonly remote: z.ZodType;
    sources(
      ...given: [...Parameters<Definition["sources"]>, list: ReturnType<Definition["sources"]>]
    ): ReturnType<Definition["sources"]>;
    readonly secret?: ByArgs;
    readonly writeOnly?: ByArgs;
    readonly masked?: ByArgs;
    readonly alwaysSend?: ByArgs;
  };

/** Whether the author declares that an undocumented argument contains no secret. A list that is not known yet declares nothing. */
function isNonSecret({ nonSecret }: Fields, name: string): boolean {
  return Array.isArray(nonSecret) && nonSecret.includes(name);
}

function byArgs(names: ByArgs | undefined): (args: Fields) => readonly string[] {
  return typeof names === "function" ? names : () => names ?? [];
}
