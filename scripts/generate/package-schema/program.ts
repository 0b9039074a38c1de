/** The model of an example program. */
import type { Fields } from "../../../provider/index.js";

/** A resource of an example program. */
export interface Declared {
  readonly name: string;
  readonly type: string;
  /** Arguments, with a `Reference` for each reference. */
  readonly args: Fields;
}

/** Reference to a property of another resource of the program. */
export class Reference {
  constructor(
    readonly resource: string,
    readonly property: string,
  ) {}
}
