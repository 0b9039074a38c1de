/** Compares settings of guards: what a file allows that it refused before. */
import { stringifyStably } from "../../../diff/values.js";
import { matchesPattern } from "../../../provider/definition/name-pattern.js";
import type { GuardSettings, QuietTime } from "../../../workspace-file/index.js";

type Setting = keyof GuardSettings;
type Value<S extends Setting> = NonNullable<GuardSettings[S]>;

/** Number of deletions that is allowed by default. */
export const USUAL_DELETES = 10;
/** Percentage of what a stack manages that may be deleted by default. */
export const USUAL_SHARE = 20;

/** How the values of a setting compare. */
interface Order<T> {
  /** Value of a file that does not give it. */
  readonly usual: T;
  /** Value that refuses nothing. */
  readonly none: T;
  /** Whether the second value allows something that the first one refuses. */
  readonly isLooser: (before: T, now: T) => boolean;
}

function orderNumbers(usual: number): Order<number> {
  return { usual, none: Infinity, isLooser: (before, now) => now > before };
}

const atLeast: Order<number> = { usual: 0, none: 0, isLooser: (before, now) => now < before };

/** A value that refuses, and is the usual one, and another one that does not. */
function orderChoices<T>(strict: T, loose: T): Order<T> {
  return { usual: strict, none: loose, isLooser: (before, now) => before === strict && now === loose };
}

/** A list in which each entry refuses something. */
function orderRefusals<T>(keyOf: (item: T) => string): Order<readonly T[]> {
  return {
    usual: [],
    none: [],
    isLooser: (before, now) => {
      const left = new Set(now.map(keyOf));
      return before.some((item) => !left.has(keyOf(item)));
    },
  };
}

/** A list of patterns, each of which allows something. */
const allowing: Order<readonly string[]> = {
  usual: [],
  none: ["**"],
  isLooser: (before, now) => now.some((pattern) => !isCovered(pattern, before)),
};

/** Whether patterns match everything that another one matches, as far as that is easy to say. */
function isCovered(pattern: string, by: readonly string[]): boolean {
  const isName = !/[*?]/.test(pattern);
  return by.some(
    (other) => other === pattern || other === "**" || (isName && matchesPattern(other, pattern)),
  );
}

/** Omits the reason, which refuses nothing. */
function buildQuietKey({ reason: _reason, timeZone = "UTC", days, ...time }: QuietTime): string {
  return stringifyStably({ ...time, timeZone, days: days?.toSorted() ?? null });
}

const orders: { readonly [S in Setting]-?: Order<Value<S>> | Order<Readonly<Value<S>>> } = {
  maxDeletes: orderNumbers(USUAL_DELETES),
  maxDeleteShare: orderNumbers(USUAL_SHARE),
  allowDelete: allowing,
  protectedKinds: orderRefusals((kind: string) => kind),
  projectDeletion: orderChoices<Value<"projectDeletion">>("named", "allow"),
  sectionDeletion: orderChoices<Value<"sectionDeletion">>("named", "allow"),
  unmanagedContents: orderChoices<Value<"unmanagedContents">>("named", "allow"),
  minimumAdmins: atLeast,
  requiredAdmins: orderRefusals((email: string) => email.toLowerCase()),
  ownAccess: orderChoices(true, false),
  quietHours: orderRefusals(buildQuietKey),
};

/** A setting that allows something that it refused before. */
export interface Loosened {
  readonly setting: string;
  /** Null for what was not set. */
  readonly before: unknown;
  readonly now: unknown;
  /** Logical names, for what an entry sets. */
  readonly objects?: readonly string[];
}

/**
 * Finds the settings that are looser than before.
 * @param absent what holds for a setting that is not given: the usual value, as in a workspace file, or nothing
 */
export function listLooserSettings(
  before: GuardSettings,
  now: GuardSettings,
  absent: "usual" | "none" = "usual",
): Loosened[] {
  return (Object.entries(orders) as [Setting, Order<unknown>][]).flatMap(([setting, order]) => {
    const [was, is] = [before[setting], now[setting]].map((given) => given ?? order[absent]);
    const shown = (given: unknown) => given ?? (absent === "usual" ? order.usual : null);
    if (!order.isLooser(was, is)) return [];
    return [{ setting, before: shown(before[setting]), now: shown(now[setting]) }];
  });
}
