/** What an object's entry has to say otherwise, so that it says what the service shows. */
import type { z } from "zod";
import { UNKNOWN } from "../../../../diff/values.js";
import {
  argsSchema,
  comparableArgs,
  projectRemote,
  validateArgs,
  type Definition,
  type Fields,
  type DiscoveredObject,
} from "../../../../provider/index.js";
import { locationOf } from "../../../../workspace-file/index.js";
import { AsWritten } from "../../../../workspace-file/edit/index.js";
import type { ResourceDeclaration } from "../../../../workspace-file/load/index.js";
import { isFilled, openPlaceholders, partOf, type Existing } from "./existing.js";
import type { RemoteNames } from "./names.js";

/** An entry and the object that it speaks of. */
export interface Pair {
  readonly declared: ResourceDeclaration;
  readonly live: DiscoveredObject;
  /** What a new file would say of the object; absent where none could declare it. */
  readonly said: Fields | undefined;
}

/** Another value of an argument; `undefined` takes it out. In the words of the service. */
export interface EntryChange {
  readonly arg: string;
  readonly value: unknown;
  /** What the entry says now; absent where it says nothing. */
  readonly before?: unknown;
  /** A placeholder says it. */
  readonly filled: boolean;
}

export interface ComparedEntry {
  readonly changes: readonly EntryChange[];
  /** Arguments that nobody could compare, and why: `workspace.yaml:12 says ${env:D}, which has no value here`. */
  readonly open: readonly { readonly arg: string; readonly why: string }[];
}

export class Differ {
  constructor(
    private readonly existing: Existing,
    private readonly names: RemoteNames,
  ) {}

  compare(pair: Pair): ComparedEntry {
    const { definition } = pair.declared;
    const { args } = pair.declared;
    const compared: { changes: EntryChange[]; open: { arg: string; why: string }[] } = {
      changes: [],
      open: [],
    };
    const hidden = new Set([...definition.writeOnly(args), ...definition.writeOnly(pair.live.args)]);
    const shown = comparableArgs(definition, { ...pair.live.args }).concat(comparableArgs(definition, args));
    const { keyedBy = "" } = definition.document ?? {};
    for (const arg of new Set(shown)) {
      if (arg === keyedBy || hidden.has(arg)) continue;
      this.argument(pair, arg, compared);
    }
    return { ...compared, changes: [...compared.changes, ...demanded(pair, compared.changes, hidden)] };
  }

  private argument(
    pair: Pair,
    arg: string,
    { changes, open }: { changes: EntryChange[]; open: { arg: string; why: string }[] },
  ): void {
    const { declared, live, said } = pair;
    const { definition } = declared;
    const told = said?.[arg];
    const value = declared.args[arg];
    if (value === undefined || value === null) {
      // Its own name in another argument is what the service says where nobody has said anything.
      if (told !== undefined && told !== live.key) changes.push({ arg, value: told, filled: false });
      return;
    }
    const both = [declared.args, live.args].every((args) => definition.masked(args).includes(arg));
    if (both) return;
    const part = partOf(this.existing, declared, arg);
    const unseen = live.unseen.includes(arg);
    if (unseen) return void open.push({ arg, why: "the service does not show it" });
    const known = this.names.asLive(definition, arg, value);
    const [leaf] =
      known === undefined || openPlaceholders(part).some(({ mock }) => mock) ? openPlaceholders(part) : [];
    // A new file would ask for the value too.
    if (leaf !== undefined && told instanceof AsWritten) return;
    if (leaf !== undefined) {
      const { file, line } = locationOf(leaf.at);
      open.push({
        arg,
        why: `${file}:${line} says ${leaf.written ?? "a placeholder"}, which has no value here`,
      });
      return;
    }
    const raw = live.args[arg];
    if (isSame(definition, arg, known, this.names.asLive(definition, arg, raw))) return;
    if (isSame(definition, arg, value, live.outputs[arg])) return;
    const wanted = told ?? explicit(definition, live.args, arg, raw);
    if (wanted === OUT_OF_WORDS) return;
    const reduced =
      wanted instanceof AsWritten ? wanted : projectRemote(definition, arg, known, wanted).value;
    changes.push({ arg, value: reduced, before: known, filled: isFilled(part) });
  }
}

function isSame(definition: Definition, arg: string, declared: unknown, live: unknown): boolean {
  return projectRemote(definition, arg, declared, live).value === declared;
}

/** What no file could say. */
const OUT_OF_WORDS = Symbol();

/** A value that goes without saying: said all the same where the entry speaks of it, and taken out where there is none. */
function explicit(definition: Definition, args: Fields, arg: string, raw: unknown): unknown {
  if (raw === false) return false;
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") return Object.keys(raw).length === 0 ? undefined : OUT_OF_WORDS;
  const meta = (argsSchema(definition, args).shape as Readonly<Record<string, z.ZodType>>)[arg]?.meta() ?? {};
  return Object.hasOwn(meta, "default") && meta["default"] === raw ? raw : OUT_OF_WORDS;
}

/** Values that the service never shows, and that what has changed demands. */
function demanded(
  { declared: { definition, args }, said = {} }: Pair,
  changes: readonly EntryChange[],
  hidden: ReadonlySet<string>,
): EntryChange[] {
  const lacking = [...hidden].filter((arg) => args[arg] === undefined && said[arg] !== undefined);
  if (changes.length === 0 || lacking.length === 0) return [];
  const after = { ...args, ...Object.fromEntries(changes.map(({ arg, value }) => [arg, value])) };
  const problems = validateArgs(definition, unknowns(after) as Fields);
  const wanted = new Set(
    problems.filter(({ code }) => code === "required").map(({ path }) => String(path[0])),
  );
  return lacking.filter((arg) => wanted.has(arg)).map((arg) => ({ arg, value: said[arg], filled: false }));
}

/** What is not a plain value is not judged. */
function unknowns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unknowns);
  if (typeof value !== "object" || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return UNKNOWN;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unknowns(inner)]));
}
