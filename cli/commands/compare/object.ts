/** One form for all that can be compared: what a side says of each object, whatever the side is. */
import type { Definition, Expected, Fields, Gap } from "../../../provider/index.js";
import { escapeKey } from "../../../provider/definition/logical-name.js";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Place } from "../../../workspace-file/index.js";
import type { SideKind } from "./classes.js";

export type Kind = Definition & { readonly document: NonNullable<Definition["document"]> };

/** Stands in a value for another object. */
export class Named {
  /**
   * @param to resource type of the object, or what the definition of the reference calls it
   * @param key what it is called
   * @param known false: only its number is known, which means nothing elsewhere
   * @param own what it is called on its own side, where that may be meant as well
   */
  constructor(
    readonly to: string,
    readonly key: string,
    readonly known: boolean = true,
    readonly own?: string,
  ) {}
}

/** Stands for an object of which only the number is known. */
export function numbered(to: string, number: number): Named {
  return new Named(to, `#${number}`, false);
}

/** How sure it is that there is a value which a side does not know; `unsaid`: it leaves that to the service. */
export type Presence = "there" | "needed" | "maybe" | "unsaid";

/** Stands for a value that a side does not know. */
export class Unknown {
  /** @param isSecret nobody should read what the other side has there */
  constructor(
    readonly reason: string,
    readonly presence: Presence,
    readonly isSecret: boolean = false,
  ) {}
}

/** A value that nobody should read in a report. */
export class Sensitive {
  constructor(readonly value: unknown) {}
}

/** One step of the way from the workspace to an object. */
export interface Step {
  readonly section: string;
  readonly type: string;
  readonly key: string;
  /** The key is the name of an object of this type. */
  readonly to?: string;
}

/** An object as a side has it. */
export interface SideObject {
  readonly definition: Kind;
  readonly steps: readonly Step[];
  /** Arguments, with Named, Unknown and Sensitive in them. What is blank or the service's default is not there. */
  readonly args: Fields;
  /** The service hides what the key should be; this is the name of a person or, without one, a number. */
  readonly hiddenKey?: boolean;
  /** What the service calls it beside its key. */
  readonly title?: string;
  /** By what the service tells it from all others of its workspace. */
  readonly number?: string;
  readonly link?: string;
  /** Where the side says so, if it is written somewhere. */
  readonly placeOf?: (path: PropertyPath) => Place;
}

/** What the report says of a side. */
export interface SideFacts {
  /** How it is called in the report. */
  readonly name: string;
  readonly kind: SideKind;
  /** Name of the connection, which a file may say, too. */
  readonly connection?: string;
  /** Domain of the workspace, as far as it is known. */
  readonly workspace?: string;
  readonly baseUrl?: string;
  readonly file?: string;
  readonly overlays?: readonly string[];
  readonly stack?: string;
}

/** One of the two that are compared. */
export interface Side {
  readonly facts: SideFacts;
  /** What stands in others comes after them; lists are in their order. */
  readonly objects: readonly SideObject[];
  /** What is there, and not to be compared: the service made it, or it is the caller's own. */
  readonly omitted: readonly SideObject[];
  readonly gaps: readonly Gap[];
  /** Sections in which the side knows all that there is, such as `projects/web/pipelines`; absent when it knows all of all. */
  readonly sections?: ReadonlySet<string>;
  /** Names of objects whose lists have no known order. */
  readonly unordered: ReadonlySet<string>;
  /** What of these is there, or may be, though no list shows it: a caller is not shown all. */
  readonly hiddenOf?: (expected: readonly Expected[]) => Promise<readonly Gap[]>;
  /** Where a new object of this name would stand, if the side is written somewhere. */
  readonly placeFor?: (steps: readonly Step[]) => Place;
}

/** Logical name. */
export function nameOf(steps: readonly Step[]): string {
  return steps.map(({ section, key }) => `${section}/${escapeKey(key)}`).join("/");
}
