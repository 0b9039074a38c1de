/**
 * What a resource type declares. `crud/` decides what to do with it and never branches on a type's name:
 * where types differ, the definition says how.
 */
import type { z } from "zod";
import type { ProblemCode } from "./problems.js";
import type { Context, Holding } from "./context.js";
import type { NestedForm } from "./nested.js";

/** Arguments, outputs or the fields of a remote object, by name. */
export type Fields = Readonly<Record<string, unknown>>;
/** An object as the service sent it. */
export type RemoteObject = Fields;
type Shape = Readonly<Record<string, z.ZodType>>;

/** An output: a value of the remote object, or the id that a reference was resolved to. */
export interface OutputField<T extends z.ZodType = z.ZodType, W extends string = string> {
  readonly schema: T;
  /** Where the value stands in the remote object; absent for a resolved reference. */
  readonly apiName?: W;
}

/** An argument that refers to another object: by resource, by the number the service gave it, or by name. */
export interface Reference {
  /** Resource type that may stand here, or another kind of object that only has a name and an id. */
  readonly to: string;
  /**
   * Argument of a referenced resource that is taken, where it was given; else the last part of its Pulumi id. Other
   * outputs would not do: a preview does not know them while the referenced resource is being updated.
   */
  readonly property?: string;
  /** Other arguments of this resource filled from outputs of the referenced one. */
  readonly copies?: Readonly<Record<string, string>>;
  /** The argument is a list of references. */
  readonly list?: boolean;
  /** The items of the list are objects, and these are the references in each of them. */
  readonly each?: Readonly<Record<string, Reference>>;
  /** How an item that the service shows and nobody declared is shown, given what the service takes in its place. */
  readonly label?: (remote: RemoteObject, item: unknown, state: Fields) => unknown;
  /** Argument that tells whether the object referred to is still the same one when its name changed. */
  readonly identity?: string;
  /** Output that holds the resolved id. Absent where the name itself is what the service takes. */
  readonly idOutput?: string;
  /** All that a name may stand for, where a name stands instead of an id. */
  readonly lookup?: (context: Context, state: Fields) => Promise<readonly Candidate[]>;
}

export interface Candidate {
  readonly id: number;
  /** What it is called; the service may not show it. */
  readonly name: unknown;
  readonly label: string;
}

/** How one argument is sent and shown, where its API name is not simply its own name in snake_case. */
export interface ApiField {
  /** Part of a request body. `creating` tells POST from PATCH. */
  readonly to: (value: unknown, creating: boolean) => Fields;
  /** Value in a remote object, given the declared one; undefined when the object does not carry it. */
  readonly from?: (remote: RemoteObject, declared: unknown) => unknown;
  /** Keys by which a remote object tells that it carries the field; none for what only stands in the path. */
  readonly keys?: (declared: unknown) => readonly string[];
  /** It holds all that no other argument does, under the service's own names, save these facts of the service. */
  readonly rest?: readonly string[];
  /** A PATCH carries only those of its keys that differ, and leaves the others as they are. */
  readonly merged?: boolean;
}

/** One place where an object can be read: a list, an embedding object, or by itself. */
export type ReadSource = ListSource | SingleSource;

export interface ListSource<T extends object = object> {
  readonly kind: "list";
  /** Names the list within the workspace; the same key is read once per run. */
  readonly key: string;
  readonly load: () => Promise<readonly T[]>;
  /** The list is a part of an object that is read under this key, and is kept there. */
  readonly within?: { readonly key: string; readonly part: string };
}

export interface SingleSource {
  readonly kind: "single";
  /** The path does not say in what the object stands: that it answers does not prove that it is where it was. */
  readonly anywhere?: boolean;
  readonly key: string;
  readonly load: () => Promise<object>;
  /** It is not read but made of what was read under this key. */
  readonly madeOf?: string;
}

/** How a type is written in a workspace file. */
export interface DocumentPlace<A extends string = string> {
  /** Key of the section under its parent. */
  readonly section: string;
  /** Parents it may stand under ("workspace" is the file itself), and the argument that refers to each. */
  readonly under: Readonly<Record<string, A | null>>;
  /** Argument filled from an entry's key. */
  readonly keyedBy: A;
  /** Argument that tells the object by its number, where the service does not show what the key says. */
  readonly numberedBy?: A;
  /** A map by key; a list whose order matters; or a plain list of keys. */
  readonly form: "map" | "list" | "keys";
  /** Argument that a plain text, number or boolean in place of a map stands for. */
  readonly scalar?: A;
  /**
   * Argument of the parent that, when true, makes the entries an argument of the parent itself (of the section's name)
   * instead of resources of their own.
   */
  readonly heldWhen?: string;
  /** Such objects come and go with people's work: an export takes them only when it is asked to. */
  readonly transient?: boolean;
  /** Type that owns the order of a list, and its arguments for the parent and the ordered resources. */
  readonly order?: { readonly type: string; readonly parent: string; readonly items: string };
}

export interface Change {
  readonly olds: Fields;
  readonly news: Fields;
  /** Names of the arguments that differ. */
  readonly changed: readonly string[];
}

/** Arguments of everything of a type that one run declares in one project. */
export type Around = (type: string) => readonly Fields[];

export interface Examples<A extends string = string> {
  readonly create: { readonly [K in A]?: unknown };
  /** Arguments to change in place; their names and new values. */
  readonly update?: { readonly [K in A]?: unknown };
  /** Arguments whose change replaces the object. */
  readonly replace?: { readonly [K in A]?: unknown };
  /** Fields that somebody changes behind our back, by argument, as the service would show them. */
  readonly outside?: { readonly [K in A]?: unknown };
  /** Types of which an object has to be in the same project before. */
  readonly needs?: readonly string[];
  /** Arguments that adoption needs where the service does not show the natural key, and the outputs they come from. */
  readonly adopt?: Readonly<Record<string, string>>;
}

/** Further arguments by kind, for a type whose arguments depend on one or two of them (a discriminated union). */
export interface Variants {
  readonly of: Readonly<
    Record<string, { readonly description: string; readonly args: Shape; readonly examples: Examples }>
  >;
  /** The variant that the arguments choose, or undefined when they choose none yet (a value is missing or unknown). */
  readonly select: (args: Fields) => string | undefined;
  /** Argument to complain about when no variant is chosen, and what it may be. */
  readonly chosenBy: string;
  /** Arguments that choose among the variants of one `chosenBy`; a variant may be the one without a value there. */
  readonly modes: readonly string[];
}

/** What every type has, without the types of its own arguments. */
export interface Definition {
  readonly type: string;
  /** Plural as in the spec's paths; names the type in messages. */
  readonly noun: string;
  readonly description: string;
  readonly args: z.ZodObject;
  readonly variants?: Variants;
  readonly outputs: Readonly<Record<string, OutputField>>;
  /** Parts of the Pulumi id after the workspace, as names of arguments or outputs. */
  readonly id: readonly string[];
  /** Output (or argument) and API name that tell one object of a list from the others. */
  readonly identity: { readonly state: string; readonly apiName: string };
  /** Arguments that make an object the same as one that exists, within the list it appears in. */
  readonly naturalKey: readonly string[];
  readonly references: Readonly<Record<string, Reference>>;
  readonly replaceOn: readonly string[];
  /** Arguments that are secret, given the arguments. */
  readonly secret: (args: Fields) => readonly string[];
  /**
   * Arguments among them whose content the specification does not show: anything may stand in them, so they are secret as a
   * whole unless the argument `nonSecret` names them.
   */
  readonly undocumented: readonly string[];
  /** Arguments that the service never sends back, given the arguments. */
  readonly writeOnly: (args: Fields) => readonly string[];
  /** Arguments that the service masks (`secure!...`), given the arguments: only a change of the mask can be seen. */
  readonly masked: (args: Fields) => readonly string[];
  /** Lists whose order has no meaning. */
  readonly sets: readonly string[];
  /** How the parts of nested values are compared; `whole` unless said otherwise. */
  readonly nested: Readonly<Record<string, NestedForm>>;
  /** Arguments that the service may leave out of a whole object, since it does not show them to everybody. */
  readonly mayBeHidden: readonly string[];
  /** Arguments that the answer to a creation has to show as they were asked for, and why it may do otherwise. */
  readonly confirmed: Readonly<Record<string, string>>;
  /** Arguments that a PATCH must carry though they are unchanged. */
  readonly alwaysSend: (args: Fields) => readonly string[];
  /** Arguments that are ours alone and never sent. */
  readonly clientOnly: readonly string[];
  readonly apiFields: Readonly<Record<string, ApiField>>;
  /** `protect` unless the user says otherwise. */
  readonly protect: boolean;
  /** Something that is done once (a run, a restart): a fact that cannot drift, cannot be undone, and is never gone. */
  readonly ephemeral: boolean;
  readonly document?: DocumentPlace;
  readonly examples: Examples;

  /** Values that the service chooses for arguments left out, given the others; UNKNOWN where nobody can tell them. */
  readonly serverDefaults?: (args: Fields) => Fields;

  /** Rules across arguments. Values that a preview does not know yet are texts that match no enumeration. */
  rules(args: Fields, problem: (property: string, message: string, code: ProblemCode) => void): void;
  /** Reason why a change must not be planned, shown at preview. */
  validateChange(change: Change): string | undefined;
  /** Unchanged arguments that the service has lost with what was changed outside, so that they are sent again. */
  resent(change: Change): readonly string[];
  /** Arguments whose change replaces the object only under some condition. */
  replaceWhen(change: Change): readonly string[];
  /** The list in which an object of the same natural key would appear. */
  list(context: Context, state: Fields): ListSource | undefined;
  /** Where the object can be read, the cheapest first. */
  sources(context: Context, state: Fields): readonly ReadSource[];
  /** Does a remote object have the natural key of these arguments? Absent: compare the natural key's arguments. */
  matches?(remote: RemoteObject, state: Fields): boolean;
  /**
   * Of what the same run declares in the same project (`around`, by type): what has to be there before this object can be
   * made, though no argument refers to it.
   */
  waitsFor?(args: Fields, around: Around): readonly Fields[];
  create(context: Context, body: Fields, state: Fields): Promise<object>;
  /** Second half of a creation: what the creating request cannot carry, and the arguments concerned. */
  readonly completion?: {
    readonly args: readonly string[];
    /** Returns the object after it, or undefined when there was nothing to do. */
    run(context: Context, remote: RemoteObject, state: Fields): Promise<object | undefined>;
  };
  /** Sends a change; undefined when nothing of it concerns the service. Absent: nothing can be changed in place. */
  update?(context: Context, body: Fields, state: Fields, change: Change): Promise<object | undefined>;
  delete(context: Context, state: Fields): Promise<void>;
  /** A list whose objects this one can hold itself, in place of resources of their own. */
  holds?(context: Context, state: Fields): Holding | undefined;
  /** Reason why a remote object is left alone and only forgotten when it should be deleted. Throws where nobody can tell. */
  skipDelete?(context: Context, state: Fields): Promise<string | undefined>;
  /** Reason why a remote object that nobody declared is nothing to tell of: the service makes it by itself. */
  ignoreUnmanaged?(context: Context, remote: RemoteObject, state: Fields): Promise<string | undefined>;
}

/** The arguments that a resource with these arguments can have: its own, or its variant's. */
export function argsSchema(definition: Definition, args: Fields): z.ZodObject {
  const variant = variantOf(definition, args);
  if (variant === undefined) return definition.args;
  // zod compiles a schema at its first use, which costs more than many uses.
  const schema = extended.get(variant) ?? definition.args.extend(variant.args);
  extended.set(variant, schema);
  return schema;
}

const extended = new WeakMap<Variants["of"][string], z.ZodObject>();

export function variantOf(definition: Definition, args: Fields): Variants["of"][string] | undefined {
  const name = definition.variants?.select(args);
  return name === undefined ? undefined : definition.variants?.of[name];
}

/** Names of the arguments that take part in requests and comparisons. */
export function managedArgs(definition: Definition, args: Fields): string[] {
  return Object.keys(argsSchema(definition, args).shape).filter(
    (name) => !definition.clientOnly.includes(name),
  );
}
