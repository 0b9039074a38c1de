/** What a component of the plugin declares: resources by their arguments, and its outputs. */
import type { Fields } from "../provider/index.js";
import type { ConfigValue } from "../workspace-file/index.js";
import type { ResourceDeclaration } from "../workspace-file/load/load.js";
import type { Registered } from "./monitor.js";

/** A component of a program. */
export interface DeclaredComponent {
  readonly name: string;
  /** Inputs with marks for secrets and for values that are not known yet. */
  readonly inputs: Fields;
  readonly stack: string;
  /** Returns a value of the stack's configuration. A key without a namespace belongs to the project. */
  readonly config: (key: string) => ConfigValue | undefined;
  /** Returns the name of the provider's connection. */
  readonly connection: () => Promise<string | undefined>;
}

/** A declaration, and the engine's response to its registration. */
export interface RegisteredDeclaration {
  readonly declaration: ResourceDeclaration;
  readonly registered: Registered;
}

export interface Component {
  /** Whether its resources are children of the stack, so that other ways to declare them give the same URNs. */
  readonly isFlat: boolean;
  /**
   * @returns undefined while too little is known, in a preview
   * @throws {Error} with all problems of its inputs
   */
  declare(component: DeclaredComponent): Promise<readonly ResourceDeclaration[] | undefined>;
  /** @param all absent while too little is known */
  outputs(all: readonly RegisteredDeclaration[] | undefined): Fields;
}
