/** A resource that a file declares. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import type { Definition, Fields, ReferringValue } from "../../resources/index.js";

/** Resource that a file declares. */
export interface ResourceDeclaration {
  readonly definition: Definition;
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly path: PropertyPath;
  /** Arguments. A reference to another declaration is a `Ref`. A text with outputs of other objects is an `Interpolated`. */
  readonly args: Fields;
  /** Names of arguments that contain a secret of the stack's configuration. */
  readonly secrets: readonly string[];
  /** Arguments with references to secrets, which only the provider opens. */
  readonly references: Readonly<Record<string, ReferringValue>>;
  /** Arguments with other secrets as the file has them, with placeholders. */
  readonly asWritten: Fields;
  readonly retain: boolean;
  readonly protect: boolean | undefined;
  /** Paths of properties whose changes are ignored (diff/ignored-changes.ts). */
  readonly ignoreChanges: readonly string[];
  /** Name of the declaration that must be created first. */
  readonly after: string | undefined;
}

/** Returns a declaration without the settings that only files have. */
export function createPlainDeclaration(
  definition: Definition,
  name: string,
  args: Fields,
): ResourceDeclaration {
  const none = {
    formerNames: [],
    path: [],
    secrets: [],
    references: {},
    asWritten: {},
    retain: false,
    protect: undefined,
    ignoreChanges: [],
    after: undefined,
  };
  return { definition, name, args, ...none };
}
