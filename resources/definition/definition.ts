/** The definition of a resource type. It states all differences between types, so that `crud/` never branches on a type's name. */
import type { z } from "zod";
import type { MeasuredBehavior } from "../../assumptions/behavior.js";
import type { ListReading } from "../../client/index.js";
import type { UNKNOWN } from "../../diff/values.js";
import type { Context, Ownership } from "./context.js";
import type { NestedForm } from "./nested.js";
import type { ProblemCode } from "./problems.js";
import type { Spelling } from "./spelling.js";

/** Arguments, outputs or the fields of a remote object, by name. */
export type Fields = Readonly<Record<string, unknown>>;
/** An object as the service shows it. */
export type RemoteObject = Fields;
export type Shape = Readonly<Record<string, z.ZodType>>;

/** An output: a value of the remote object, or the id that a reference was resolved to. */
export interface OutputField<T extends z.ZodType = z.ZodType, W extends string = string> {
  readonly schema: T;
  /** The field of the remote object; absent for a resolved reference. */
  readonly apiName?: W;
  /** Arguments from which the service derives the value: a preview does not know it when one of them changes. */
  readonly derivedFrom?: readonly string[];
}

/** An argument that refers to another object: by resource, by id, or by name. */
export interface Reference {
  /** The resource type that is referred to, or another kind of object that only has a name and an id. */
  readonly to: string;
  /**
   * The argument of the referenced resource that is used if it was given; otherwise the last part of its Pulumi id. A preview
   * does not know other outputs while the referenced resource is being updated.
   */
  readonly property?: string;
  /** Other arguments of this resource filled from outputs of the referenced one. */
  readonly copies?: Readonly<Record<string, string>>;
  /** The argument is a list of references. */
  readonly list?: boolean;
  /** The items of the list are objects, and these are the references in each of them. */
  readonly each?: Readonly<Record<string, Reference>>;
  /** The form of an unmanaged item that the service shows, given its id. */
  readonly label?: (remote: RemoteObject, item: unknown, state: Fields) => unknown;
  /** Which spellings of a name refer to the same object. Absent: only the exact name does. */
  readonly spelling?: Spelling;
  /** Argument that identifies the referenced object after a change of its name. */
  readonly identity?: string;
  /** Arguments that must be given next to it: `always`, because paths contain them, or next to a `name`, which is looked up in them. */
  readonly within?: { readonly args: readonly string[]; readonly next: "always" | "name" };
  /** Output with the resolved id. Absent where the service accepts the name itself. */
  readonly idOutput?: string;
  /**
   * All objects that a name may refer to, where the service needs an id. `isSure` proves the end of their list; `what` is the name, for
   * messages.
   */
  readonly lookup?: (
    context: Context,
    state: Fields,
    isSure?: boolean,
    what?: string,
  ) => Promise<readonly Candidate[]>;
}

export interface Candidate {
  readonly id: number;
  /** Its name, which the service may hide. */
  readonly name: unknown;
  readonly label: string;
}

/** How an argument is sent and shown, where its API name is not its own name in snake_case. */
export interface ApiField {
  /** Part of a request body. `creating`: of a POST, otherwise of a PATCH. */
  readonly to: (value: unknown, creating: boolean) => Fields;
  /** Value in a remote object, given the declared one; undefined when the object does not have it. */
  readonly from?: (remote: RemoteObject, declared: unknown) => unknown;
  /** Keys of a remote object that has the field; none for an argument that is only part of the path. */
  readonly keys?: (declared: unknown) => readonly string[];
  /**
   * The argument contains all keys that no other argument has, under the service's names. These keys are excluded, because the service
   * sets them.
   */
  readonly rest?: readonly string[];
  /** Whether a PATCH contains only the keys that differ, and leaves the others unchanged. */
  readonly merged?: boolean;
}

/** A source from which an object can be read: a list, an embedding object, or the object itself. */
export type ReadSource = ListSource | SingleSource;

export interface ListSource<T extends object = object> {
  readonly kind: "list";
  /** Identifies the list within the workspace. It is read once per run. */
  readonly key: string;
  /** @param isSure proves the end of the list, which may take another request */
  readonly load: (isSure?: boolean) => Promise<ListReading<T>>;
  /** Whether the list has no more than so many items, by one request. */
  readonly endsAt?: (items: number) => Promise<boolean>;
  /** The list is a part of the object that is read under this key. */
  readonly within?: { readonly key: string; readonly part: string };
}

export interface SingleSource {
  readonly kind: "single";
  /** The path does not contain the object's parent: a response does not prove that the object is still in it. */
  readonly anywhere?: boolean;
  readonly key: string;
  readonly load: () => Promise<object>;
  /** The key of the read from which it is derived. */
  readonly madeOf?: string;
}

/** How a type is declared in a workspace file. */
export interface DocumentPlacement<A extends string = string> {
  /** Key of the section under its parent. */
  readonly section: string;
  /** Its possible parents ("workspace" is the file itself), and the argument that refers to each. */
  readonly under: Readonly<Record<string, A | null>>;
  /** Argument whose value is the key of an entry. */
  readonly keyedBy: A;
  /** Argument with the object's id, where the service does not return the value of the key. */
  readonly numberedBy?: A;
  /** A map by key; a list whose order matters; or a plain list of keys. */
  readonly form: "map" | "list" | "keys";
  /** Argument that is set by an entry in the short form: a text, a number or a boolean instead of a map. */
  readonly scalar?: A;
  /**
   * Argument of the parent that, when true, makes the entries an argument of the parent (named like the section) instead of resources
   * of their own.
   */
  readonly exclusiveWhen?: string;
  /** Such objects are part of people's daily work: an export includes them only on request. */
  readonly transient?: boolean;
  /** The type that owns the order of a list, and its arguments for the parent and the ordered resources. */
  readonly order?: { readonly type: string; readonly parent: string; readonly items: string };
}

export type NameOf<T> = keyof T & string;

/** Arguments as they were declared: not validated, and perhaps unknown in a preview. */
export type Written<A> = { readonly [K in keyof A]?: A[K] | typeof UNKNOWN | null | undefined };

export interface Change<A = Fields, State = Fields> {
  readonly olds: Partial<State>;
  readonly news: Written<A>;
  /** Names of the arguments that differ. */
  readonly changed: readonly NameOf<A>[];
  /** How the service behaves, as far as it was measured. */
  readonly behavior?: MeasuredBehavior;
}

/** A change that is not planned. */
export interface RefusedChange {
  readonly message: string;
  readonly remedy: string;
}

/** The declared arguments of the types for which others wait (`waitsFor`). Each of these types adds its own. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- resource files add to it
export interface DeclaredArgs {}

/** The arguments of all objects of a type that a run declares in a project. */
export type Around = <T extends keyof DeclaredArgs>(type: T) => readonly DeclaredArgs[T][];

interface Examples<A extends string = string> {
  readonly create: { readonly [K in A]?: unknown };
  /** Arguments to change in place, with their new values. */
  readonly update?: { readonly [K in A]?: unknown };
  /** Arguments whose change replaces the object. */
  readonly replace?: { readonly [K in A]?: unknown };
  /** Arguments that change outside, with the values that the service then shows. */
  readonly outside?: { readonly [K in A]?: unknown };
  /** Types of which the project needs an object first. */
  readonly needs?: readonly string[];
  /** Arguments that an adoption needs where the service does not show the natural key, and the outputs with their values. */
  readonly adopt?: Readonly<Record<string, string>>;
}

/** Additional arguments by variant, for a type whose arguments depend on one or two of them (a discriminated union). */
export interface Variants {
  readonly of: Readonly<
    Record<string, { readonly description: string; readonly args: Shape; readonly examples: Examples }>
  >;
  /** The variant that the arguments choose; undefined when a value is missing or unknown. */
  readonly select: (args: Fields) => string | undefined;
  /** The argument that chooses the variant. Problems of the choice are reported for it. */
  readonly chosenBy: string;
  /** Arguments that choose among the variants of one `chosenBy`. One variant may have no value for them. */
  readonly modes: readonly string[];
}

/** What objects of a type can do. */
export type Effect = "commands" | "rights";

/** Describes when the objects of a type run by themselves. */
export interface RunTimes {
  /** Returns undefined for arguments with which an object does not run by itself. */
  readonly of: (args: Fields) => string | undefined;
  /** When such an object runs. */
  readonly otherwise: string;
  /** When most objects run, which goes without saying. */
  readonly usual?: string;
}

/** Names of arguments, perhaps depending on the arguments. */
export type ByArgs<A = Fields, N extends string = string> =
  readonly N[] | ((args: Written<A>) => readonly N[]);

/**
 * What a type says about its objects, and how it handles them.
 * @typeParam A arguments
 * @typeParam Planned values that are known before a creation: arguments, and the ids of references
 * @typeParam State everything in the state of an object
 * @typeParam R the object as the service shows it
 */
export interface Handlers<
  A = Fields,
  Planned = Fields,
  State = Fields,
  R = RemoteObject,
  Create = Fields,
  Update = Fields,
> {
  /** The parts of the Pulumi id after the workspace: names of arguments or outputs. */
  readonly id: readonly NameOf<State>[];
  /** Output (or argument) and API name that identify an object in a list. */
  readonly identity: { readonly state: NameOf<State>; readonly apiName: NameOf<R> };
  /** Arguments that identify an existing object within its list. */
  readonly naturalKey: readonly NameOf<A>[];
  /**
   * Where several objects may share a natural key: the argument by which declarations tell them apart (`key`), and the one with the
   * id of the existing object that an adoption takes over (`number`). Neither is sent.
   */
  readonly sharedKey?: { readonly key: NameOf<A>; readonly number: NameOf<A> };
  /** Differences that the service may make in an identifying argument, by argument. Absent: none. */
  readonly spelling?: { readonly [K in NameOf<A>]?: Spelling };
  readonly replaceOn?: readonly NameOf<A>[];
  /** Arguments besides those that only a creation sends. */
  readonly createOnly?: readonly NameOf<A>[];
  /** Arguments that are secret. */
  readonly secret?: ByArgs<A, NameOf<State>>;
  /**
   * Arguments with content that the specification does not describe. They may contain anything, so they are secret as a whole
   * unless the argument `nonSecret` names them.
   */
  readonly undocumented?: readonly NameOf<A>[];
  /** An existing object is adopted without `adopt`, because it has nothing but its natural key and so is as declared. */
  readonly adoptsExisting?: boolean;
  /** Arguments that the service never returns. */
  readonly writeOnly?: ByArgs<A, NameOf<A>>;
  /** Arguments that the service masks (`secure!...`): only a change of the mask is visible. */
  readonly masked?: ByArgs<A, NameOf<A>>;
  /** Lists whose order has no meaning. */
  readonly sets?: readonly NameOf<A>[];
  /** How the parts of nested values are compared; `whole` unless said otherwise. */
  readonly nested?: { readonly [K in NameOf<A>]?: NestedForm };
  /** Arguments that the service does not return to every user. */
  readonly mayBeHidden?: readonly NameOf<A>[];
  /** Arguments that the response to a creation has to confirm, and the reason why it may not. */
  readonly confirmed?: { readonly [K in NameOf<A>]?: string };
  /** Arguments of the provider that are never sent. */
  readonly clientOnly?: readonly NameOf<A>[];
  /** Those among them that allow a loss of data, which is refused without them. */
  readonly permits?: readonly NameOf<A>[];
  /** For a required argument that the service never returns: another one that makes it unnecessary, for which an export asks. */
  readonly askInstead?: { readonly [K in NameOf<A>]?: NameOf<A> };
  /** Further arguments that every plan has to show, although they do not identify the object itself (identifying.ts). */
  readonly alwaysShown?: readonly NameOf<A>[];
  /** The service shows such an object to some users only: to all others, its absence proves nothing. */
  readonly restricted?: boolean;
  readonly document?: DocumentPlacement<NameOf<A>>;
  readonly examples: Examples<NameOf<A>>;

  /** Values that the service chooses for omitted arguments, given the others; UNKNOWN where they cannot be predicted. */
  serverDefaults?(args: Written<A>): { readonly [K in NameOf<A>]?: unknown };
  /** Rules across arguments. A value that a preview does not know yet is a text that matches no enumeration. */
  rules?(args: Written<A>, problem: (property: NameOf<A>, message: string, code: ProblemCode) => void): void;
  /** Whether and why a change is refused at preview. */
  validateChange?(change: Change<A, State>): RefusedChange | undefined;
  /** Arguments that the service does not return, and that a remote object like this one has lost. */
  lost?(remote: R): readonly NameOf<A>[];
  /** Arguments whose change replaces the object only under some condition. */
  replaceWhen?(change: Change<A, State>): readonly NameOf<A>[];
  /**
   * The objects that have to exist before this one is created, although no argument refers to them: those among the arguments
   * that the same run declares in the same project (`around`, by type).
   */
  waitsFor?(args: Written<A>, around: Around): readonly object[];

  /** The list in which an object of the same natural key would appear. */
  list?(context: Context, state: Planned): ListSource | undefined;
  /**
   * The sources of the object, the cheapest first.
   * @param list the list, if there is one. It comes first, since one read serves all its objects.
   */
  sources(context: Context, state: State, list: readonly ReadSource[]): readonly ReadSource[];
  /** Whether a remote object has the natural key of these arguments. Absent: the natural key's arguments are compared. */
  matches?(remote: R, state: Planned): boolean;
  create(context: Context, body: Create, state: Planned): Promise<object>;
  /** The second half of a creation: the arguments that the creating request cannot contain. */
  readonly afterCreate?: {
    readonly args: readonly NameOf<A>[];
    /** Returns the object after it; undefined when there was nothing to do. */
    run(context: Context, remote: R, state: State): Promise<object | undefined>;
  };
  /** Sends a change; undefined when it does not concern the service. Absent: nothing can be changed in place. */
  update?(
    context: Context,
    body: Update,
    state: State,
    change: Change<A, State>,
  ): Promise<object | undefined>;
  /** @returns false when the service knew no such object */
  delete(context: Context, state: State): Promise<unknown>;
  /** A list whose objects this one can own instead of resources of their own. */
  owns?(context: Context, state: State): Ownership | undefined;
  /** The reason why a deletion only forgets the object. Throws where that cannot be decided. */
  skipDelete?(context: Context, state: State): Promise<string | undefined>;
  /** The reason why an unmanaged remote object is not reported: the service creates it by itself. */
  ignoreUnmanaged?(context: Context, remote: R, state: Planned): Promise<string | undefined>;
}

type NamesByArgs = (args: Fields) => readonly string[];
type ListNames =
  | "spelling"
  | "replaceOn"
  | "createOnly"
  | "undocumented"
  | "sets"
  | "nested"
  | "mayBeHidden"
  | "confirmed"
  | "clientOnly"
  | "permits"
  | "adoptsExisting"
  | "askInstead"
  | "alwaysShown";
type Rules = "rules" | "validateChange" | "lost" | "replaceWhen" | "list";

/** A resource type, without the types of its own arguments and with all defaults. */
export interface Definition
  extends
    Required<Pick<Handlers, ListNames | Rules>>,
    Omit<Handlers, ListNames | Rules | "secret" | "writeOnly" | "masked" | "sources"> {
  readonly type: string;
  /** The name of the type in messages. */
  readonly noun: string;
  readonly description: string;
  readonly args: z.ZodObject;
  readonly variants?: Variants;
  readonly outputs: Readonly<Record<string, OutputField>>;
  readonly references: Readonly<Record<string, Reference>>;
  readonly secret: NamesByArgs;
  readonly writeOnly: NamesByArgs;
  readonly masked: NamesByArgs;
  /** Arguments that a PATCH has to contain even when they are unchanged. */
  readonly forceSend: NamesByArgs;
  readonly apiFields: Readonly<Record<string, ApiField>>;
  /** Argument by which objects are protected from deletion, unless it is false. Absent for types without protection. */
  readonly protect?: string;
  /** A one-time operation (a run, a restart): it cannot drift, be undone or be deleted. */
  readonly ephemeral: boolean;
  /** When objects run by themselves; absent for types that never do. */
  readonly runTimes?: RunTimes;
  /** What an object can do besides being there: run commands, or give somebody rights. Reports list such objects first. */
  readonly effect?: Effect;
  /** What a plan says next to the name of an object, given its arguments. Default: when it runs, if it runs by itself. */
  readonly brief?: (args: Fields) => string | undefined;
  sources(context: Context, state: Fields): readonly ReadSource[];
}

/** The schema of a resource with these arguments: of its type, or of its variant. */
export function getArgsSchema(definition: Definition, args: Fields): z.ZodObject {
  const variant = getVariant(definition, args);
  if (variant === undefined) return definition.args;
  // zod compiles a schema at its first use, which costs more than many uses.
  const schema = extended.get(variant) ?? definition.args.extend(variant.args);
  extended.set(variant, schema);
  return schema;
}

/** The schemas of the arguments, by name. */
export function getArgsShape(definition: Definition, args: Fields): Readonly<Record<string, z.ZodType>> {
  return getArgsSchema(definition, args).shape;
}

/** Whether a declaration can omit an argument of the schema. */
export function isOptional(schema: z.ZodType | undefined): boolean {
  return schema?.safeParse(undefined).success === true;
}

const extended = new WeakMap<Variants["of"][string], z.ZodObject>();

export function getVariant(definition: Definition, args: Fields): Variants["of"][string] | undefined {
  const name = definition.variants?.select(args);
  return name === undefined ? undefined : definition.variants?.of[name];
}

/** Whether an object with these arguments is protected from deletion. */
export function isProtected({ protect }: Definition, args: Fields): boolean {
  return protect !== undefined && args[protect] !== false;
}

/** The arguments that are part of requests and comparisons. */
export function listManagedArgs(definition: Definition, args: Fields): string[] {
  return Object.keys(getArgsSchema(definition, args).shape).filter(
    (name) => !definition.clientOnly.includes(name),
  );
}
