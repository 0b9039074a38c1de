/**
 * How schedulers read the forms of CRON expressions that they do not all agree on. The service documents no scheduler, so none of the
 * readings is known to be its own. A nightly test asks the schedulers themselves, in these versions.
 */

export const schedulers = {
  croner: "croner 11.0.1 (npm)",
  "cron-parser": "cron-parser 5.10.6 (npm)",
  "node-cron": "node-cron 4.6.0 (npm)",
  croniter: "croniter 7.0.0 (PyPI)",
  cronsim: "cronsim 2.8 (PyPI)",
  APScheduler: "APScheduler 3.11.3 (PyPI), `from_crontab`",
  "robfig/cron": "robfig/cron 3.0.1 (Go), as in Kubernetes",
  gronx: "gronx 1.20.4 (Go)",
  Spring: "Spring 6.2.19 (Maven), with a 0 for the seconds in front",
  "cron-utils": "cron-utils 9.2.1 (Maven), its Unix format",
} as const;

export type Scheduler = keyof typeof schedulers;

interface Form {
  readonly what: string;
  /** Expressions that have this form, and no other on which schedulers differ. */
  readonly examples: readonly string[];
  /** By what it means: the schedulers that read it so. The others refuse it. */
  readonly readings: Readonly<Record<string, readonly Scheduler[]>>;
}

const all = Object.keys(schedulers) as Scheduler[];
const except = (...some: Scheduler[]) => all.filter((name) => !some.includes(name));

/** The schedulers that read days of the month and weekdays as two conditions. */
const bothAlways: readonly Scheduler[] = ["node-cron", "APScheduler", "Spring"];

export const cronForms = {
  "days-and-weekdays": {
    what: "days of the month together with weekdays",
    examples: ["0 0 1,15 * MON", "0 0 1-31/2 * MON"],
    readings: { "days that match either": except(...bothAlways), "days that match both": bothAlways },
  },
  "steps-and-days": {
    what: "a field that begins with a star, such as `*/2`, for days of the month or weekdays, when the other is limited too",
    examples: ["0 0 */2 * MON"],
    readings: {
      "days that match either": ["croner", "cron-parser", "croniter", "robfig/cron", "cron-utils"],
      "days that match both": [...bothAlways, "cronsim", "gronx"],
    },
  },
  "step-of-one-and-days": {
    what: "`*/1` for days of the month or weekdays, when the other is limited",
    examples: ["0 0 */1 * MON", "0 0 1 * */1"],
    readings: {
      "every day": ["croner", "cron-parser", "croniter"],
      "days of the other field": except("croner", "cron-parser", "croniter"),
    },
  },
  "star-in-days": {
    what: "a star in a list of days of the month, when weekdays are limited",
    examples: ["0 0 *,1 * MON"],
    readings: {
      "every day": ["croner", "cron-utils"],
      "days that match both": except("croner", "cron-utils", "cron-parser"),
    },
  },
  "star-in-weekdays": {
    what: "a star in a list of weekdays, when days of the month are limited",
    examples: ["0 0 1 * *,MON"],
    readings: {
      "every day": ["croner", "cron-utils", "gronx"],
      "days that match both": except("croner", "cron-utils", "gronx", "cron-parser"),
    },
  },
  "weekday-number": {
    what: "weekdays as numbers",
    examples: ["0 0 * * 1", "0 0 * * 1-5", "0 0 * * MON,3"],
    readings: { "Sunday is 0": except("APScheduler"), "Monday is 0": ["APScheduler"] },
  },
  "sunday-as-7": {
    what: "7 as a weekday",
    examples: ["0 0 * * 7", "0 0 * * 5-7"],
    readings: { Sunday: except("APScheduler", "robfig/cron") },
  },
  "range-from-7": {
    what: "a range of weekdays that begins with 7",
    examples: ["0 0 * * 7-2"],
    readings: { "from Sunday": ["node-cron", "croniter", "gronx", "Spring"] },
  },
  "range-from-sunday": {
    what: "a range of weekdays that begins with SUN",
    examples: ["0 0 * * SUN-TUE", "0 0 * * sun-sat"],
    readings: { "from Sunday": except("APScheduler", "cron-utils") },
  },
  "range-to-sunday": {
    what: "a range of weekdays that ends with SUN",
    examples: ["0 0 * * SAT-SUN", "0 0 * * MON-SUN"],
    readings: { "to Sunday": ["croner", "node-cron", "croniter", "APScheduler", "Spring", "cron-utils"] },
  },
  "step-of-weekdays": {
    what: "a step over all weekdays",
    examples: ["0 0 * * */2"],
    readings: { "from Sunday": except("APScheduler", "Spring"), "from Monday": ["APScheduler", "Spring"] },
  },
  "step-of-named-weekdays": {
    what: "a step over weekdays by name",
    examples: ["0 0 * * MON-FRI/2"],
    readings: { "with its step": except("APScheduler"), "without its step": ["APScheduler"] },
  },
  "step-from-weekday": {
    what: "a step that begins at a weekday",
    examples: ["0 0 * * 1/2"],
    readings: {
      "up to Saturday": ["croniter", "gronx", "robfig/cron"],
      "up to Sunday": ["cron-parser", "cronsim", "Spring", "cron-utils"],
      "from Monday as 0": ["APScheduler"],
    },
  },
  "step-from-number": {
    what: "a step that begins at a number",
    examples: ["5/15 * * * *", "0 0 5/10 * *", "0 0 * 3/4 *"],
    readings: { "from there to the end": except("croner", "node-cron") },
  },
  "wrapping-range": {
    what: "a range that ends before it begins",
    examples: ["0 22-2 * * *", "0 0 * * FRI-MON", "5-1 * * * *"],
    readings: { "over the end": ["node-cron", "croniter"] },
  },
  "range-of-one": {
    what: "a range that ends where it begins",
    examples: ["5-5 * * * *", "0 5-5 * * *"],
    readings: { "this value": except("croniter"), "every value": ["croniter"] },
  },
  "wide-step": {
    what: "a step that is wider than its range",
    examples: ["0 0 1-5/7 * *", "0 0 */31 * *"],
    readings: { "the first value": except("APScheduler") },
  },
  "step-of-all": {
    what: "a step of 60 minutes or 24 hours",
    examples: ["*/60 * * * *", "0 */24 * * *"],
    readings: { "the first value": except("APScheduler", "cron-utils") },
  },
  "step-too-wide": {
    what: "a step that is wider than the whole field",
    examples: ["*/90 * * * *", "0 */30 * * *"],
    readings: { "the first value": except("croner", "APScheduler", "cron-utils") },
  },
  "repeated-value": {
    what: "a value that a list has twice",
    examples: ["1,1 * * * *", "*/5,*/7 * * * *", "*,5 * * * *"],
    readings: { "once each time": except("cron-parser") },
  },
  "number-to-name": {
    what: "a range of a number and a name",
    examples: ["0 0 1 1-MAR *"],
    readings: { "from one to the other": except("APScheduler") },
  },
  "full-name": {
    what: "a name that is not shortened",
    examples: ["0 0 * * Monday", "0 0 1 January *"],
    readings: { "as the short name": ["node-cron"] },
  },
  "last-day": {
    what: "`L` for the last day of the month",
    examples: ["0 0 L * *", "0 0 L,15 * *"],
    readings: { "the last day": except("APScheduler", "robfig/cron", "cron-utils") },
  },
  "before-last-day": {
    what: "`L-n` for a day before the last one of the month",
    examples: ["0 0 L-2 * *", "0 0 L-3,1 * *"],
    readings: { "so many days before": ["node-cron", "Spring"] },
  },
  "last-workday": {
    what: "`LW` for the last workday of the month",
    examples: ["0 0 LW * *"],
    readings: { "the last workday": ["croner", "node-cron", "cronsim", "Spring"] },
  },
  "nearest-workday": {
    what: "`W` for the nearest workday",
    examples: ["0 0 15W * *", "0 0 1W * *"],
    readings: { "the nearest workday": ["croner", "node-cron", "croniter", "gronx", "Spring"] },
  },
  "last-weekday": {
    what: "`L` behind a number, for the last such weekday of the month",
    examples: ["0 0 * * 5L"],
    readings: { "the last one": except("croniter", "APScheduler", "robfig/cron", "cron-utils") },
  },
  "last-named-weekday": {
    what: "`L` behind a name, for the last such weekday of the month",
    examples: ["0 0 * * FRIL"],
    readings: { "the last one": ["croner", "cron-parser", "node-cron", "gronx", "Spring"] },
  },
  "which-weekday": {
    what: "`#` behind a number, for a certain week of the month",
    examples: ["0 0 * * 5#2"],
    readings: { "in this week": except("APScheduler", "robfig/cron", "cron-utils") },
  },
  "which-named-weekday": {
    what: "`#` behind a name, for a certain week of the month",
    examples: ["0 0 * * FRI#2", "0 0 * * MON#1"],
    readings: {
      "in this week": except("APScheduler", "robfig/cron", "cron-utils"),
      "in every week": ["APScheduler"],
    },
  },
  "any-day": {
    what: "`?` for days of the month or weekdays",
    examples: ["0 0 ? * MON", "0 0 1 * ?"],
    readings: { "any day": except("cronsim", "APScheduler", "cron-utils") },
  },
  "any-value": {
    what: "`?` for anything but days",
    examples: ["? * * * *", "0 ? * * *"],
    readings: { "any value": ["croner", "cron-parser", "gronx", "robfig/cron"] },
  },
  "chosen-value": {
    what: "`H` for a value that the scheduler chooses",
    examples: ["H 2 * * *", "H H * * *"],
    readings: { "chosen at random": ["cron-parser"] },
  },
  seconds: {
    what: "six fields",
    examples: ["30 0 2 * * *"],
    readings: {
      "the first is the second": ["croner", "cron-parser", "node-cron", "cronsim", "gronx", "Spring"],
      "the last is the second": ["croniter"],
    },
  },
  "seconds-and-years": {
    what: "seven fields",
    examples: ["0 0 0 * * * 2027"],
    readings: { "the first is the second, the last the year": ["croner", "gronx"] },
  },
  nickname: {
    what: "a word such as `@daily`",
    examples: ["@daily", "@hourly", "@weekly", "@monthly", "@yearly", "@annually"],
    readings: { "its schedule": except("cronsim", "APScheduler", "cron-utils") },
  },
  midnight: {
    what: "the word `@midnight`",
    examples: ["@midnight"],
    readings: { daily: ["croner", "node-cron", "croniter", "robfig/cron", "Spring"] },
  },
  "capital-nickname": {
    what: "a word such as `@DAILY` in capital letters",
    examples: ["@DAILY"],
    readings: { "its schedule": ["croner", "node-cron", "croniter", "gronx", "Spring"] },
  },
  interval: {
    what: "`@every` with a time",
    examples: ["@every 5m", "@every 1h30m"],
    readings: { "again and again after this time": ["robfig/cron"] },
  },
} as const satisfies Record<string, Form>;

export type CronForm = keyof typeof cronForms;

interface Reading {
  readonly means: string;
  readonly by: readonly Scheduler[];
}

/** How schedulers read a form: most of them first. */
export interface Readings {
  readonly what: string;
  readonly readings: readonly Reading[];
  readonly refusedBy: readonly Scheduler[];
}

/** Several schedulers differ from most: whoever moves between two of them probably changes the times of runs. */
export function isAmbiguous({ readings: [, second] }: Readings): boolean {
  return second !== undefined && second.by.length > 1;
}

export function getReadings(form: CronForm): Readings {
  const { what, readings }: Form = cronForms[form];
  const list = Object.entries(readings).map(([means, by]): Reading => ({ means, by }));
  const readers = list.flatMap(({ by }) => by);
  return {
    what,
    readings: list.toSorted((one, other) => other.by.length - one.by.length),
    refusedBy: except(...readers),
  };
}

/** Describes how schedulers differ in each form that an expression has. */
export function listDifferences(forms: Iterable<CronForm>, fits: (readings: Readings) => boolean): string[] {
  return [...forms]
    .map(getReadings)
    .filter(fits)
    .map((readings) => `${readings.what}: ${formatReadings(readings)}`);
}

/** `days that match both (node-cron, APScheduler, Spring); days that match either (the others)` */
export function formatReadings({ readings, refusedBy }: Omit<Readings, "what">): string {
  const groups = [
    ...readings.map(({ means, by }) => ({ by, text: (names: string) => `${means} (${names})` })),
    ...(refusedBy.length > 0 ? [{ by: refusedBy, text: (names: string) => `refused by ${names}` }] : []),
  ].toSorted((one, other) => one.by.length - other.by.length);
  const rest = groups.length > 1 ? groups.length - 1 : undefined;
  return groups.map(({ by, text }, at) => text(at === rest ? "the others" : by.join(", "))).join("; ");
}
