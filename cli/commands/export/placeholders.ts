/** Placeholders for values that the service hides: each is an environment variable named after the value. */
import { LogicalName } from "../../../provider/definition/logical-name.js";
import { chooseFreeName } from "../../lists.js";
import { AsWritten } from "../../../workspace-file/edit/index.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";

/** Where a value is used: the logical name of the object, and its argument. */
interface Use {
  readonly name: string;
  readonly arg: string;
}

/** A value that must be set when the file is read. */
export interface Needed extends Use {
  /** Name in the placeholder. */
  readonly variable: string;
  /** Further uses of the same value. */
  readonly also: readonly Use[];
}

interface AddedPlaceholder {
  readonly variable: string;
  /** The value, where it is known. */
  readonly same: string | undefined;
  readonly uses: Use[];
}

export class Placeholders {
  private added: AddedPlaceholder[] = [];
  private readonly used: Set<string>;

  /** @param used variables that a file uses for other values */
  constructor(used: Iterable<string> = []) {
    this.used = new Set(used);
  }

  /**
   * @param short the main argument of the object, which the variable name omits
   * @param secret the value is hidden everywhere, even when its argument is not secret
   * @param same the value, where it is known: equal ones share a variable
   */
  add(
    name: string,
    arg: string,
    short: string | undefined,
    { secret = false, same }: { readonly secret?: boolean; readonly same?: string | undefined } = {},
  ): AsWritten {
    const equal = same === undefined ? undefined : this.added.find((one) => one.same === same);
    if (equal !== undefined) {
      equal.uses.push({ name, arg });
      return new AsWritten(formatPlaceholderOf(equal.variable, secret));
    }
    const wanted = suggestVariableName(name, arg === short ? undefined : arg);
    const variable = chooseFreeName(
      (one) => this.used.has(one),
      (suffix) => wanted + suffix,
      "_",
    );
    this.used.add(variable);
    this.added.push({ variable, same, uses: [{ name, arg }] });
    return new AsWritten(formatPlaceholderOf(variable, secret));
  }

  get needed(): readonly Needed[] {
    return this.added.flatMap(({ variable, uses: [first, ...also] }) =>
      first === undefined ? [] : [{ variable, ...first, also }],
    );
  }

  /** Removes the placeholders of an object that is not in the file after all. */
  drop(name: string): void {
    for (const { variable, uses } of this.added) {
      uses.splice(0, Infinity, ...uses.filter((use) => use.name !== name));
      if (uses.length === 0) this.used.delete(variable);
    }
    this.added = this.added.filter(({ uses }) => uses.length > 0);
  }
}

/** Names of the environment variables in the placeholders of files. */
export function collectVariables(sources: LoadedFile["sources"]): Set<string> {
  const names = new Set<string>();
  for (const { text } of sources.values())
    for (const [, name = ""] of text.matchAll(/\$\{(?:secret:)?env:([^}:]+)/g)) names.add(name);
  return names;
}

/** Returns the placeholder for an environment variable. */
export function formatPlaceholderOf(variable: string, secret: boolean): string {
  return `\${${secret ? "secret:" : ""}env:${variable}}`;
}

/** `projects/web/variables/API_KEY` → WEB_API_KEY. */
function suggestVariableName(name: string, arg: string | undefined): string {
  const { keys } = new LogicalName(name);
  const words = [...keys, ...(arg === undefined ? [] : [arg])].map(toCapitals).filter((word) => word !== "");
  const whole = words.join("_") || "VALUE";
  return /^\d/.test(whole) ? `_${whole}` : whole;
}

function toCapitals(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
}
