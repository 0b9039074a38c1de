/** Placeholders for values that the service hides: each is an environment variable named after the value. */
import { LogicalName } from "../../../provider/definition/logical-name.js";
import { freeName } from "../../lists.js";
import { AsWritten } from "../../../workspace-file/edit/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";

/** A value that must be set when the file is read. */
export interface Needed {
  /** Name in the placeholder. */
  readonly variable: string;
  /** Logical name of the object, and its argument. */
  readonly name: string;
  readonly arg: string;
}

export class Placeholders {
  readonly needed: Needed[] = [];
  private readonly used: Set<string>;

  /** @param used variables that a file uses for other values */
  constructor(used: Iterable<string> = []) {
    this.used = new Set(used);
  }

  /**
   * @param short the main argument of the object, which the variable name omits
   * @param secret the value is hidden everywhere, even when its argument is not secret
   */
  add(name: string, arg: string, short: string | undefined, secret = false): AsWritten {
    const wanted = variableName(name, arg === short ? undefined : arg);
    const variable = freeName(
      (one) => this.used.has(one),
      (suffix) => wanted + suffix,
      "_",
    );
    this.used.add(variable);
    this.needed.push({ variable, name, arg });
    return new AsWritten(placeholderOf(variable, secret));
  }

  /** Removes the placeholders of an object that is not in the file after all. */
  drop(name: string): void {
    const kept = this.needed.filter((one) => one.name !== name);
    for (const { name: of, variable } of this.needed) if (of === name) this.used.delete(variable);
    this.needed.splice(0, Infinity, ...kept);
  }
}

/** Names of the environment variables in the placeholders of files. */
export function variablesIn(sources: LoadedFile["sources"]): Set<string> {
  const names = new Set<string>();
  for (const { text } of sources.values())
    for (const [, name = ""] of text.matchAll(/\$\{(?:secret:)?env:([^}:]+)/g)) names.add(name);
  return names;
}

/** Returns the placeholder for an environment variable. */
export function placeholderOf(variable: string, secret: boolean): string {
  return `\${${secret ? "secret:" : ""}env:${variable}}`;
}

/** `projects/web/variables/API_KEY` → WEB_API_KEY. */
function variableName(name: string, arg: string | undefined): string {
  const { keys } = new LogicalName(name);
  const words = [...keys, ...(arg === undefined ? [] : [arg])].map(inCapitals).filter((word) => word !== "");
  const whole = words.join("_") || "VALUE";
  return /^\d/.test(whole) ? `_${whole}` : whole;
}

function inCapitals(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
}
