/** What a workspace file can say of a value: whether it can represent it, and placeholders for what the service hides. Each placeholder is an environment variable named after the value. */
import {
  type Definition,
  definitions,
  type DiscoveredObject,
  type Fields,
  holdsHalf,
  mapReferences,
} from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { chooseFreeName } from "../../text/lists.js";
import { AsWritten } from "../../workspace-file/edit/edit.js";
import type { LoadedFile } from "../../workspace-file/load/load.js";

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
  return new Set([...sources.values()].flatMap(({ text }) => collectVariablesIn(text)));
}

export function collectVariablesIn(text: string): string[] {
  return [...text.matchAll(/\$\{(?:secret:)?env:([^}:]+)/g)].map(([, name = ""]) => name);
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

const FORBIDDEN = "__proto__";

/** The reason why a part of a value is missing. */
export const UNREPRESENTABLE = `a file cannot contain a key "${FORBIDDEN}" or an unpaired surrogate (half of a character)`;

/** Sections whose entries have keys in the file. */
export const keyedSections: ReadonlySet<string> = new Set(
  definitions.flatMap(({ document }) => (document?.form === "map" ? [document.section] : [])),
);

/** Explains why a file cannot represent an object at all. */
export function findUnrepresentablePart({ definition, name, args }: DiscoveredObject): string | undefined {
  const steps = name.split("/");
  const isKey = steps.some((step, index) => step === FORBIDDEN && keyedSections.has(steps[index - 1] ?? ""));
  if (isKey || refersTo(definition, args, FORBIDDEN))
    return `skipped: no key of a file may be "${FORBIDDEN}": rename the object`;
  return undefined;
}

function refersTo({ references }: Definition, args: Fields, key: string): boolean {
  let found = false;
  for (const [arg, reference] of Object.entries(references))
    mapReferences(reference, args[arg], ({ to }, value) => {
      found ||=
        value === key && definitions.some(({ type, document }) => type === to && document?.form === "map");
      return value;
    });
  return found;
}

/** Reduces a value to what a file can represent. */
export function makeRepresentable(value: unknown): unknown {
  if (!holdsIt(value)) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value as Fields).filter(([key, inner]) => !holdsIt({ [key]: inner })),
  );
}

/** Sorts the keys of all maps in a value. */
export function sortKeysDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeysDeep);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sortKeysDeep(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function holdsIt(value: unknown): boolean {
  if (typeof value === "string") return holdsHalf(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === FORBIDDEN || holdsHalf(key) || holdsIt(inner));
}
