/** Reads CRON expressions in every form that a scheduler takes, and notes the forms on which schedulers differ. */
import type { CronForm } from "./schedulers.js";

interface FieldRule {
  readonly name: "second" | "minute" | "hour" | "day" | "month" | "weekday" | "year";
  readonly min: number;
  readonly max: number;
  /** Short names of the values, from `min` on. */
  readonly names?: readonly string[];
  /** The names in full. */
  readonly longNames?: readonly string[];
}

const MONTHS = "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER";
const WEEKDAYS = "SUNDAY MONDAY TUESDAY WEDNESDAY THURSDAY FRIDAY SATURDAY";
const splitNames = (words: string) => ({
  names: words.split(" ").map((word) => word.slice(0, 3)),
  longNames: words.split(" "),
});

const SECOND: FieldRule = { name: "second", min: 0, max: 59 };
const YEAR: FieldRule = { name: "year", min: 1970, max: 2099 };
const FIELDS: readonly FieldRule[] = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, ...splitNames(MONTHS) },
  { name: "weekday", min: 0, max: 7, ...splitNames(WEEKDAYS) },
];

const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * SUN",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** The values of the fields. */
export interface CronTimes {
  readonly minute: ReadonlySet<number>;
  readonly hour: ReadonlySet<number>;
  readonly day: ReadonlySet<number>;
  readonly month: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekday: ReadonlySet<number>;
  /** Days of the month and weekdays are both limited. */
  readonly limitsBoth: boolean;
}

export interface CronExpression {
  /** The forms on which schedulers differ. */
  readonly forms: ReadonlySet<CronForm>;
  /** As most schedulers read it; absent when no values say it, such as those of `L`, seconds or `@every`. */
  readonly times?: CronTimes;
}

/** Why a text is no CRON expression. */
class CronError extends Error {}

/** Returns undefined for what no scheduler takes that was tried. */
export function readCron(text: string): CronExpression | undefined {
  const found = tryCron(text);
  return typeof found === "string" ? undefined : found;
}

/** Why no scheduler takes a text. */
export function findCronProblem(text: string): string | undefined {
  const found = tryCron(text);
  return typeof found === "string" ? found : undefined;
}

function tryCron(text: string): CronExpression | string {
  try {
    return parseCron(text);
  } catch (error) {
    if (error instanceof CronError) return error.message;
    throw error;
  }
}

function parseCron(text: string): CronExpression {
  const trimmed = text.trim();
  if (trimmed.startsWith("@")) return parseNickname(trimmed);
  const parts = trimmed.split(/\s+/);
  const count = trimmed === "" ? 0 : parts.length;
  if (count < 5 || count > 7)
    throw new CronError(
      `it has ${count === 1 ? "1 field" : `${count} fields`} instead of five (minute, hour, day, month, weekday)`,
    );
  const forms = new Set<CronForm>();
  const rules = [...(count > 5 ? [SECOND] : []), ...FIELDS, ...(count > 6 ? [YEAR] : [])];
  if (count > 5) forms.add(count === 6 ? "seconds" : "seconds-and-years");
  const values = new Map(rules.map((rule, at) => [rule.name, new Field(rule, forms).read(parts[at] ?? "")]));
  const [, , day = "", , weekday = ""] = count > 5 ? parts.slice(1) : parts;
  noteDays(day, weekday, forms);
  const of = (name: FieldRule["name"]) => values.get(name) ?? new Set<number>();
  const isKnown = count === 5 && [...values.values()].every((set) => set !== undefined);
  if (!isKnown) return { forms };
  const weekdays = new Set([...of("weekday")].map((number) => number % 7));
  // As numbers of all seven days, they mean the same wherever the week begins.
  if (weekdays.size === 7) forms.delete("weekday-number");
  const limitsBoth = isLimited(day) && isLimited(weekday);
  const times = {
    minute: of("minute"),
    hour: of("hour"),
    day: of("day"),
    month: of("month"),
    weekday: weekdays,
    limitsBoth,
  };
  return { forms, times };
}

function parseNickname(text: string): CronExpression {
  if (/^@every\s+(?:\d+(?:\.\d+)?(?:h|m|s|ms|us|ns))+$/.test(text)) return { forms: new Set(["interval"]) };
  const word = text.toLowerCase();
  if (!Object.hasOwn(NICKNAMES, word))
    throw new CronError(`${quote(text)} is none of ${Object.keys(NICKNAMES).join(", ")}`);
  const { times } = parseCron(NICKNAMES[word] as string);
  const form = word === "@midnight" ? "midnight" : word === text ? "nickname" : "capital-nickname";
  return { forms: new Set([form]), ...(times && { times }) };
}

const isLimited = (field: string) => field !== "*" && field !== "?";
const quote = (text: string) => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Notes what both fields mean together, and steps over all weekdays. */
function noteDays(day: string, weekday: string, forms: Set<CronForm>): void {
  const isStar = (item: string) => item === "*";
  if (/^\*\/(?!1(?:,|$))/.test(weekday)) forms.add("step-of-weekdays");
  if (!isLimited(day) || !isLimited(weekday)) return;
  if (day.split(",").some(isStar)) forms.add("star-in-days");
  else if (weekday.split(",").some(isStar)) forms.add("star-in-weekdays");
  else if ([day, weekday].some((field) => /^\*\/1(?:,|$)/.test(field))) forms.add("step-of-one-and-days");
  else if (day.startsWith("*") || weekday.startsWith("*")) forms.add("steps-and-days");
  else forms.add("days-and-weekdays");
}

interface Special {
  readonly of: FieldRule["name"];
  readonly is: RegExp;
  readonly form: CronForm;
}

const WEEKDAY = "(?:SUN|MON|TUE|WED|THU|FRI|SAT)";
/** Items that no fixed values say. */
const SPECIAL: readonly Special[] = [
  { of: "day", is: /^L$/i, form: "last-day" },
  { of: "day", is: /^L-(?:[1-9]|[12]\d|30)$/i, form: "before-last-day" },
  { of: "day", is: /^LW$/i, form: "last-workday" },
  { of: "day", is: /^(?:0?[1-9]|[12]\d|3[01])W$/i, form: "nearest-workday" },
  { of: "weekday", is: /^[0-7]L$/i, form: "last-weekday" },
  { of: "weekday", is: new RegExp(`^${WEEKDAY}L$`, "i"), form: "last-named-weekday" },
  { of: "weekday", is: /^[0-7]#[1-5]$/, form: "which-weekday" },
  { of: "weekday", is: new RegExp(`^${WEEKDAY}#[1-5]$`, "i"), form: "which-named-weekday" },
];

interface Bound {
  readonly value: number;
  readonly isName: boolean;
}

/** A field of an expression. */
class Field {
  constructor(
    private readonly rule: FieldRule,
    private readonly forms: Set<CronForm>,
  ) {}

  /** Returns the values, unless they depend on the month or on the scheduler. */
  read(text: string): ReadonlySet<number> | undefined {
    if (text === "?") {
      this.forms.add(this.rule.name === "day" || this.rule.name === "weekday" ? "any-day" : "any-value");
      return this.list(this.rule.min, this.rule.max);
    }
    const values = new Set<number>();
    const isWeekday = this.rule.name === "weekday";
    let isKnown = true;
    for (const item of text.split(",")) {
      const some = this.readItem(item);
      if (some === undefined) isKnown = false;
      else if ([...some].some((value) => values.has(value) || (isWeekday && values.has((value + 7) % 14))))
        this.forms.add("repeated-value");
      for (const value of some ?? []) values.add(value);
    }
    return isKnown ? values : undefined;
  }

  private readItem(item: string): ReadonlySet<number> | undefined {
    const { name } = this.rule;
    const special = SPECIAL.find(({ of, is }) => of === name && is.test(item));
    const form = /^H$/.test(item) && name !== "year" ? "chosen-value" : special?.form;
    if (form !== undefined) {
      this.forms.add(form);
      return undefined;
    }
    const match = /^(?:(\*)|([0-9]+|[A-Z]+)(?:-([0-9]+|[A-Z]+))?)(?:\/([0-9]+))?$/i.exec(item);
    if (match === null)
      throw new CronError(
        item === "" ? `the ${name} is empty` : `${quote(item)} is no ${name}, and no range`,
      );
    const [, star, first, last, step] = match;
    const stepBy = step === undefined ? undefined : this.readStep(step);
    if (star !== undefined) return this.step(this.rule.min, this.max, stepBy);
    const from = this.readBound(first as string);
    if (last !== undefined) return this.readRange(from, this.readBound(last), stepBy);
    if (stepBy === undefined) {
      this.noteNumber(from);
      return new Set([from.value]);
    }
    this.forms.add(name === "weekday" ? "step-from-weekday" : "step-from-number");
    return this.step(from.value, this.max, stepBy);
  }

  private readRange(from: Bound, to: Bound, stepBy: number | undefined): ReadonlySet<number> {
    const isWeekday = this.rule.name === "weekday";
    if (from.isName !== to.isName) this.forms.add("number-to-name");
    if (isWeekday && from.value === 7 && to.value < 7) {
      this.forms.add("range-from-7");
      return this.step(0, to.value, stepBy);
    }
    this.noteNumber(from, to);
    if (isWeekday && from.isName && stepBy !== undefined) this.forms.add("step-of-named-weekdays");
    if (from.value === to.value) {
      this.forms.add("range-of-one");
      return new Set([from.value]);
    }
    if (isWeekday && from.isName && from.value === 0) this.forms.add("range-from-sunday");
    if (isWeekday && to.isName && to.value === 0) {
      this.forms.add("range-to-sunday");
      return this.step(from.value, 7, stepBy);
    }
    if (from.value < to.value) return this.step(from.value, to.value, stepBy);
    this.forms.add("wrapping-range");
    const length = this.max - this.rule.min + 1;
    const around = this.list(from.value, to.value + length, stepBy ?? 1);
    return new Set([...around].map((value) => (value > this.max ? value - length : value)));
  }

  private readBound(text: string): Bound {
    const { name, names, longNames, min, max } = this.rule;
    if (/^[0-9]+$/.test(text)) {
      const value = Number(text);
      if (value < min || value > max)
        throw new CronError(`the ${name} ${quote(text)} is not within ${min} to ${max}`);
      return { value, isName: false };
    }
    const word = text.toUpperCase();
    const short = names?.indexOf(word) ?? -1;
    const long = longNames?.indexOf(word) ?? -1;
    if (short < 0 && long < 0)
      throw new CronError(
        `${quote(text)} is no ${name}${names === undefined ? "" : `: the names are ${names.join(", ")}`}`,
      );
    if (short < 0) this.forms.add("full-name");
    return { value: min + Math.max(short, long), isName: true };
  }

  private readStep(text: string): number {
    const step = Number(text);
    if (step === 0) throw new CronError(`a step of 0 in the ${this.rule.name} never ends`);
    return step;
  }

  /** Notes weekdays as numbers. */
  private noteNumber(...bounds: readonly Bound[]): void {
    if (this.rule.name !== "weekday") return;
    const numbers = bounds.filter(({ isName }) => !isName);
    if (numbers.length > 0)
      this.forms.add(numbers.some(({ value }) => value === 7) ? "sunday-as-7" : "weekday-number");
  }

  /** The largest value that is not there twice. */
  private get max(): number {
    return this.rule.name === "weekday" ? 6 : this.rule.max;
  }

  private step(from: number, to: number, step: number | undefined): ReadonlySet<number> {
    const size = this.max - this.rule.min + 1;
    if (step !== undefined && step > to - from)
      this.forms.add(
        step > size ? "step-too-wide" : step === size && step > this.rule.max ? "step-of-all" : "wide-step",
      );
    return this.list(from, to, step);
  }

  private list(from: number, to: number, step = 1): ReadonlySet<number> {
    return new Set(Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step));
  }
}
