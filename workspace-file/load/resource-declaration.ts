import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Definition, Fields } from "../../provider/index.js";

/** A resource that the file declares. */
export interface ResourceDeclaration {
  readonly definition: Definition;
  readonly name: string;
  readonly formerNames: readonly string[];
  readonly path: PropertyPath;
  /** Arguments; a reference to another declaration is a `Ref`, a text with outputs of others an `Interpolated`. */
  readonly args: Fields;
  /** Names of arguments that hold a secret of the stack's configuration. */
  readonly secrets: readonly string[];
  readonly retain: boolean;
  readonly protect: boolean | undefined;
  /** Name of the declaration after which this one has to be made. */
  readonly after: string | undefined;
}
