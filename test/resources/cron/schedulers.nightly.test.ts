/** Asks the schedulers of the table: they differ in its forms as it says, and in nothing else. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type CronForm, cronForms, getReadings, schedulers } from "../../../resources/cron/schedulers.js";
import { listNextRuns, readCron } from "../../../resources/index.js";
import { ForeignPrograms } from "../../foreign-programs.js";
import { arbitraryCommonCron } from "./arbitrary-cron.js";

const programs = new ForeignPrograms("schedulers");
const missing = programs.missing();
const SEED = Number(process.env["SEED"] ?? Date.now() % 2 ** 31);
const from = "2026-12-01T12:00:30Z";
let ask: Awaited<ReturnType<ForeignPrograms["prepare"]>>;

beforeAll(async () => {
  if (missing !== undefined) return;
  process.stdout.write(`${Object.values(schedulers).join("; ")} (SEED=${SEED})\n`);
  ask = await programs.prepare();
});

const isRefused = (answer: unknown) =>
  typeof answer === "string" || (answer as readonly string[]).length === 0;

/** Returns the schedulers with the same times, for each expression; those that refuse it are under an empty text. */
async function groupAnswers(expressions: readonly string[], count: number): Promise<Map<string, string[]>[]> {
  const answers = await ask({ zone: "UTC", from, count, expressions });
  expect(Object.keys(answers).sort()).toEqual(Object.keys(schedulers).sort());
  return expressions.map((_, at) => {
    const groups = new Map<string, string[]>();
    for (const name of Object.keys(schedulers)) {
      const answer = answers[name]?.[at];
      const key = isRefused(answer) ? "" : (answer as readonly string[]).join(" ");
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    return groups;
  });
}

describe.skipIf(missing !== undefined)(
  `real schedulers${missing === undefined ? "" : ` (${missing})`}`,
  () => {
    it("are those of the table, in its versions", () => {
      for (const text of Object.values(schedulers))
        expect(programs.pins()).toContain(/\d+(?:\.\d+)+/.exec(text)?.[0]);
    });

    it("read each form as the table says", async () => {
      const examples = (Object.keys(cronForms) as CronForm[]).flatMap((form) =>
        cronForms[form].examples.map((example) => ({ form, example })),
      );
      const found = await groupAnswers(
        examples.map(({ example }) => example),
        12,
      );
      const sortGroups = (groups: readonly (readonly string[])[]) =>
        groups
          .filter(({ length }) => length > 0)
          .map((names) => names.toSorted().join(", "))
          .toSorted();
      const seen = examples.map(({ form, example }, at) => ({
        form,
        example,
        readings: sortGroups(
          [...(found[at] ?? new Map<string, string[]>())]
            .filter(([key]) => key !== "")
            .map(([, names]) => names),
        ),
      }));
      expect(seen).toEqual(
        examples.map(({ form, example }) => ({
          form,
          example,
          readings: sortGroups(getReadings(form).readings.map(({ by }) => by)),
        })),
      );
    });

    it("agree with each other, and with us, on expressions without such a form", async () => {
      const expressions = fc.sample(arbitraryCommonCron, { numRuns: 500, seed: SEED });
      const found = await groupAnswers(expressions, 20);
      const wrong = expressions.flatMap((expression, at) => {
        const { times, forms } = readCron(expression) ?? {};
        const ours =
          times &&
          listNextRuns(times, new Date(from), 20).map((time) => `${time.toISOString().slice(0, 16)}Z`);
        const groups = [...(found[at] ?? [])];
        return forms?.size === 0 && groups.length === 1 && groups[0]?.[0] === ours?.join(" ")
          ? []
          : [
              {
                expression,
                forms: [...(forms ?? [])],
                ours: ours?.slice(0, 3),
                groups: groups.map(([key, names]) => [key.slice(0, 60), ...names]),
              },
            ];
      });
      expect(wrong).toEqual([]);
    });
  },
);
