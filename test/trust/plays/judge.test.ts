/** The judge of plays sees each kind of hole: each is planted here on purpose. */
import { connect } from "node:net";
import { execa } from "execa";
import { expect, it } from "vitest";
import { AutomationError } from "../../../automation/errors.js";
import { environment, judge, type Play, Said } from "./judge.js";

const play = (act: Play["act"], more: Partial<Play> = {}): Play => ({
  ...{ kind: "planted", title: "planted", expected: "approved", act },
  ...more,
});
const secret = environment["GITHUB_TOKEN"] ?? "";

it("finds nothing wrong with what is expected, or refused", async () => {
  expect(await judge(play(() => "approved"))).toEqual([]);
  expect(await judge(play(() => Promise.reject(new AutomationError("no", "do something else"))))).toEqual([]);
});

it.each<[string, Play["act"], RegExp]>([
  ["another result", () => "forged", /did something else: "forged"/],
  ["no result", () => undefined, /did something else/],
  ["a crash", () => (undefined as unknown as string).length, /ended unexpectedly: TypeError/],
  ["a secret in what is said", () => `approved ${secret}`, /said a secret: GITHUB_TOKEN/],
  ["a secret in Base64", () => Buffer.from(`x${secret}`).toString("base64"), /said a secret/],
  ["a secret in a text that is shown", () => new Said([`approved ${secret}`], "approved"), /said a secret/],
  ["a secret in a refusal", () => Promise.reject(new AutomationError("no", secret)), /said a secret/],
  ["a program", async () => (await execa("true")).stdout && "approved", /started a program: true/],
  [
    "a connection elsewhere",
    () => {
      connect({ host: "192.0.2.1", port: 9 })
        .on("error", () => undefined)
        .destroy();
      return "approved";
    },
    /connected to 192\.0\.2\.1/,
  ],
  [
    "a request elsewhere",
    () => fetch("http://attacker.invalid/").then(String, () => "approved"),
    /connected to attacker\.invalid/,
  ],
])("sees %s", async (_what, act, wrong) => {
  expect((await judge(play(act))).join("\n")).toMatch(wrong);
});

it("sees the mark of a program, and lets those run that a play names", async () => {
  expect(await judge(play(() => "approved", { marks: () => ["filter"] }))).toEqual(["a program ran: filter"]);
  const act = async () => (await execa("true")).exitCode === 0 && "approved";
  expect(await judge(play(act, { programs: ["true"] }))).toEqual([]);
});
