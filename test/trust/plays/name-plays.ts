/** Plays with names and values that show something else than they are: each character in each place of each report. */
import { done, printed } from "../../automation/events.js";
import { planOf, viewOf } from "../../cli/commands/preview/support.js";
import { forms } from "../../reports/forms.js";
import { type Play, Said } from "./judge.js";

export const NAME = "name of others";

/** Nothing to see, another direction, other lines, commands of a terminal, and letters that look like others. */
const SIGNS = [
  ..."\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u200e\u202a\u202e\u2060\u2066\u2069\u2800\u3164\ufeff\uffa0",
  ..."\u0000\u0007\u0008\u001b\u007f\u0085\u009b\u2028\u2029",
  ..."\u0430\u0455\u03bf\u0585",
  ..."\u{e0041}\u{e007f}\u{1d41a}",
];

type Place = (text: string) => Parameters<typeof done>;

/** Where a text of the author of a change is. */
const PLACES: Readonly<Record<string, Place>> = {
  "the name of a new group": (text) => ["create", ["Group", `groups/${text}`], undefined, { name: text }],
  "the name of a deleted group": (text) => ["delete", ["Group", `groups/${text}`], { name: text }],
  "a description that changes": (text) => {
    const [before, after] = ["as it was", text].map((description) => ({ name: "QA", description }));
    return ["update", ["Group", "groups/QA"], before, after];
  },
};

type Write = (event: ReturnType<typeof done>) => Readonly<Record<string, string>>;

const write: Write = (event) => {
  const view = viewOf(planOf([event]));
  const read = Object.entries(forms).filter(([form]) => form !== "webhook");
  return {
    ...Object.fromEntries(read.map(([form, of]) => [form, of(view)])),
    terminal: printed([event], true),
  };
};

/** @param written the forms of a plan */
export function* namePlays(written: Write = write): Generator<Play> {
  for (const sign of SIGNS)
    for (const [place, put] of Object.entries(PLACES))
      yield {
        ...{ kind: NAME, title: `${JSON.stringify(sign)} ${sign.codePointAt(0)?.toString(16)} in ${place}` },
        expected: [],
        act: () => {
          const texts = written(done(...put(`dev${sign}ops`)));
          const raw = Object.entries(texts).filter(
            ([, text]) => text.includes(sign) || text.includes("devops"),
          );
          return new Said(
            [],
            raw.map(([form]) => form),
          );
        },
      };
}
