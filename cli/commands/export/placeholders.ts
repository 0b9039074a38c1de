/** Placeholders for values that the service keeps to itself: one environment variable each, with a name that says which. */
import { unescapeKey } from "../../../provider/definition/logical-name.js";
import { isOwnCredential } from "../../../workspace-file/index.js";
import { AsWritten } from "../../../workspace-file/edit/index.js";

/** A value that has to be given when the file is read. */
export interface Needed {
  /** Name of the environment variable. */
  readonly variable: string;
  /** Logical name of the object, and its argument. */
  readonly name: string;
  readonly arg: string;
}

export class Placeholders {
  readonly needed: Needed[] = [];
  private readonly taken = new Set<string>();

  /**
   * @param short the argument that the object is about, which its variable need not name
   * @param secret the value is hidden wherever it lands, though its argument need not be a secret one
   */
  add(name: string, arg: string, short: string | undefined, secret = false): AsWritten {
    const variable = this.free(variableName(name, arg === short ? undefined : arg));
    this.needed.push({ variable, name, arg });
    return new AsWritten(placeholderOf(variable, secret));
  }

  /** Nothing of this object is in the file after all. */
  drop(name: string): void {
    const kept = this.needed.filter((one) => one.name !== name);
    for (const { name: of, variable } of this.needed) if (of === name) this.taken.delete(variable);
    this.needed.splice(0, Infinity, ...kept);
  }

  private free(wanted: string): string {
    let variable = wanted;
    for (let number = 2; this.taken.has(variable); number += 1) variable = `${wanted}_${number}`;
    this.taken.add(variable);
    return variable;
  }
}

/** What stands in a file for the value of an environment variable. */
export function placeholderOf(variable: string, secret: boolean): string {
  return `\${${secret ? "secret:" : ""}env:${variable}}`;
}

/** A name that the loader takes: credentials of a run have names of their own. */
export function usableName(variable: string): string {
  return isOwnCredential(variable) ? `WORKSPACE_${variable}` : variable;
}

/** `projects/web/variables/API_KEY` → WEB_API_KEY. */
function variableName(name: string, arg: string | undefined): string {
  const keys = name
    .split("/")
    .filter((_part, index) => index % 2 === 1)
    .map(unescapeKey);
  const words = [...keys, ...(arg === undefined ? [] : [arg])].map(inCapitals).filter((word) => word !== "");
  const whole = words.join("_") || "VALUE";
  return usableName(/^\d/.test(whole) ? `_${whole}` : whole);
}

function inCapitals(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
}
