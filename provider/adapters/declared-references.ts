/** Which references to secrets the present file or program has. What a state says is ignored. */
import type { References } from "../../resources/definition/secrets/references.js";
import { readTextIfPresent } from "../../trust/checkout-files.js";
import { TrustError } from "../../trust/errors.js";
import type { SecretReference } from "../../trust/references.js";

/** An object whose arguments may refer to secrets. */
export interface ReferringObject {
  readonly type: string;
  /** Absent where Pulumi's own host of dynamic providers calls the provider. */
  readonly urn: string | undefined;
}

export interface DeclaredReferences {
  /** Whether an argument of an object has a reference. */
  has(object: ReferringObject, argument: string, reference: SecretReference): boolean;
  /** Notes what a program registers; absent where a workspace file says it. */
  note?(object: ReferringObject, references: References): void;
  /** Reads a file to which a reference leads. Throws a `TrustError` for a file that may not be read. */
  file(path: string): string | undefined;
}

/** The references of a program. They are known once the program registers them, so a refresh opens none. */
export class RegisteredReferences implements DeclaredReferences {
  private readonly known = new Set<string>();

  has({ type }: ReferringObject, argument: string, { origin, name }: SecretReference): boolean {
    return this.known.has(JSON.stringify([type, argument, origin, name]));
  }

  note({ type }: ReferringObject, references: References): void {
    for (const [argument, all] of Object.entries(references))
      for (const { origin, name } of all) this.known.add(JSON.stringify([type, argument, origin, name]));
  }

  file(path: string): string | undefined {
    try {
      return readTextIfPresent(path);
    } catch (error) {
      if (error instanceof TrustError) throw error;
      return undefined;
    }
  }
}
