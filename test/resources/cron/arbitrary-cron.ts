/** CRON expressions in the forms on which all schedulers agree. */
import fc from "fast-check";

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WORKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT"];

function arbitraryItem({
  min,
  max,
  names,
}: Limits): fc.Arbitrary<readonly [text: string, from: number, to: number]> {
  const value = fc.integer({ min, max });
  const write = (number: number, byName: boolean) =>
    byName && names ? (names[number - min] ?? "") : String(number);
  const single = fc.tuple(value, fc.boolean()).map(([at, byName]) => [write(at, byName), at, at] as const);
  const range = fc
    .tuple(fc.integer({ min, max: max - 1 }), fc.boolean(), fc.nat(), fc.nat())
    .map(([from, byName, length, step]) => {
      const to = from + 1 + (length % (max - from));
      const by = step % 3 === 0 ? 1 + (step % (to - from)) : undefined;
      return [
        `${write(from, byName)}-${write(to, byName)}${by === undefined ? "" : `/${by}`}`,
        from,
        to,
      ] as const;
    });
  return fc.oneof(single, range);
}

/** A list whose items have no value in common. */
function arbitraryList(limits: Limits): fc.Arbitrary<string> {
  return fc.array(arbitraryItem(limits), { minLength: 1, maxLength: 3 }).map((items) => {
    const kept: (typeof items)[number][] = [];
    for (const item of items)
      if (kept.every(([, from, to]) => item[2] < from || item[1] > to)) kept.push(item);
    return kept.map(([text]) => text).join(",");
  });
}

const arbitraryStep = ({ min, max }: Limits) =>
  fc.integer({ min: 2, max: max - min }).map((step) => `*/${step}`);
const arbitraryField = (limits: Limits) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant("*") }, arbitraryStep(limits), arbitraryList(limits));

/** Weekdays by name, in order, of which a step has another meaning in some scheduler. */
const arbitraryWeekdays = fc.oneof(
  fc.subarray(WORKDAYS, { minLength: 1 }).map((names) => names.join(",")),
  fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat()).map(([from, length]) => {
    const to = from + 1 + (length % (WORKDAYS.length - 1 - from));
    return `${WORKDAYS[from] ?? ""}-${WORKDAYS[to] ?? ""}`;
  }),
  fc.constant("SUN"),
);

// The 29th, 30th and 31st are only for months that have them, because many schedulers refuse what never runs.
const days = fc.oneof(arbitraryField({ min: 1, max: 28 }), fc.constant("*"));

export const arbitraryCommonCron = fc
  .tuple(
    arbitraryField({ min: 0, max: 59 }),
    arbitraryField({ min: 0, max: 23 }),
    fc.oneof(
      days.map((day) => [day, "*"]),
      arbitraryWeekdays.map((weekday) => ["*", weekday]),
    ),
    arbitraryField({ min: 1, max: 12, names: MONTHS }),
  )
  .map(([minute, hour, [day, weekday], month]) => `${minute} ${hour} ${day} ${month} ${weekday}`);
