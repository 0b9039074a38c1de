import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Definition, Fields } from "../../provider/index.js";

/** Resource that a file declares. */
export interface ResourceDeclaration {
  readonly definition: Definition;
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly path: PropertyPath;
  /** Arguments. A reference to another declaration is a `Ref`, a text with outputs of others an `Interpolated`. */
  readonly args: Fields;
  /** Names of arguments that contain a secret of the stack's configuration. */
  readonly secrets: readonly string[];
  readonly retain: boolean;
  readonly protect: boolean | undefined;
  /** Name of the declaration that must be created first. */
  readonly after: string | undefined;
}
