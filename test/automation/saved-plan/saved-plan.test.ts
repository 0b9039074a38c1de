/** Tests saved plans. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  explainTooOld,
  findChangedFiles,
  listTargetDifferences,
  planDifferences,
  readPlan,
  withFlagsOf,
  writePrivately,
} from "../../../automation/saved-plan/apply.js";
import { refuseOtherFile } from "../../../automation/saved-plan/approval.js";
import { fingerprintKey, shortenDigest } from "../../../automation/saved-plan/saved-plan.js";
import { type SavedPlan, savedPlan } from "../../../automation/saved-plan/schema.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";
import { forge } from "../../trust/forgery.js";

const folder = temporaryFolder();
const digest = (value: unknown) => shortenDigest(value);

const plan: SavedPlan = {
  kind: "workspacectl-plan",
  formatVersion: 2,
  createdAt: "2026-03-04T12:00:00.000Z",
  tool: "0.1.0",
  stack: "us",
  project: "shop",
  workspace: "acme",
  baseUrl: "https://us.example.com",
  fingerprint: `sha256:${"0".repeat(64)}`,
  file: "workspace.yaml",
  files: [{ path: "workspace.yaml", sha256: digest("text") }],
  refreshed: true,
  steps: [
    {
      operation: "update",
      type: "Variable",
      name: "variables/TOKEN",
      before: { key: "TOKEN", value: { $secret: true } },
      after: { key: "TOKEN", value: { $secret: "0123456789abcdef" } },
      changes: [
        {
          path: "value",
          pathParts: ["value"],
          before: { $secret: true },
          after: { $secret: "0123456789abcdef" },
        },
      ],
      replacedFor: [],
    },
  ],
  drift: [],
  unmanagedContents: [],
  declared: { salt: "s", key: digest("key"), objects: { "variables/TOKEN": digest("a") } },
  state: { "variables/TOKEN": digest("a"), "groups/QA": digest("g") },
  live: { "variables/TOKEN": digest("a"), "groups/QA": digest("g") },
  guards: { allowances: { allowDelete: ["groups/*"], maxDeletes: 20 }, verdicts: [] },
  requests: { made: { reads: 20, writes: 0 }, needed: { reads: 0, writes: 1 }, reserve: 1000 },
  pulumiPlan: {},
};

describe("a saved plan", () => {
  it("equals another plan of the same objects", () => {
    expect(planDifferences(plan, { ...plan, createdAt: "2026-03-04T13:00:00.000Z" })).toEqual([]);
    expect(listTargetDifferences(plan, plan)).toEqual([]);
    expect(findChangedFiles(plan, plan)).toEqual([]);
  });

  it("applies only to its own stack, project, address, workspace and file", () => {
    expect(listTargetDifferences(plan, { ...plan, stack: "eu", baseUrl: "https://eu.example.com" })).toEqual([
      "the stack is eu, and the plan is for us",
      "the address is https://eu.example.com, and the plan is for https://us.example.com",
    ]);
    expect(findChangedFiles(plan, { files: [{ path: "workspace.yaml", sha256: digest("other") }] })).toEqual([
      "changed in the file: workspace.yaml",
    ]);
  });

  it("names differences in the state, in the workspace and in the declared values", () => {
    expect(planDifferences(plan, { ...plan, live: { ...plan.live, "groups/QA": null } })).toEqual([
      "changed in the workspace: groups/QA",
    ]);
    const state = { ...plan.state, "groups/New": digest("n") };
    expect(
      planDifferences(plan, { ...plan, state, live: { ...plan.live, "groups/New": digest("n") } }),
    ).toEqual(["changed in the state: groups/New"]);
    const declared = { ...plan.declared, objects: { "variables/TOKEN": digest("b") } };
    expect(planDifferences(plan, { ...plan, declared })[0]).toMatch(
      /^another value is declared .*: variables\/TOKEN$/,
    );
  });

  it("is rejected if the key differs, since declared values cannot be compared then", () => {
    const declared = { salt: "s", key: digest("other"), objects: { "variables/TOKEN": digest("b") } };
    expect(planDifferences(plan, { ...plan, declared })[0]).toContain("cannot be verified");
  });

  it("detects different steps, whatever the reason", () => {
    expect(planDifferences(plan, { ...plan, steps: [] })).toEqual([
      "something else would be done: variables/TOKEN",
    ]);
  });

  it("is too old only if a maximum age is given", () => {
    const later = new Date("2026-03-05T12:00:01Z");
    expect(explainTooOld(plan, undefined, later)).toEqual([]);
    expect(explainTooOld(plan, 24 * 3_600_000, later)[0]).toContain("--max-age");
    expect(explainTooOld(plan, 25 * 3_600_000, later)).toEqual([]);
  });

  it("keeps its flags, and accepts more", () => {
    const given = { file: "workspace.yaml", refresh: false, allowDelete: ["variables/*"], maxDeletes: 5 };
    expect(withFlagsOf(given, plan)).toMatchObject({
      stack: "us",
      refresh: true,
      maxDeletes: 5,
      allowDelete: ["groups/*", "variables/*"],
    });
  });

  it("is read from its file as it was written", () => {
    const file = join(folder, "plan.json");
    writePrivately(file, plan);
    expect(readPlan(file).plan).toEqual(savedPlan.parse(plan));
  });

  it.each([
    ["{", "is not a plan that this release can apply: it is not JSON"],
    ["{}", "is not a plan that this release can apply"],
    [
      JSON.stringify({ ...plan, formatVersion: 1 }),
      "formatVersion must be 2, and is 1: another release has written it",
    ],
  ])("is rejected if it is invalid or has another format: %.20s", (text, message) => {
    expect(() => readPlan(fileIn(folder, "bad.json", text))).toThrow(message);
  });
});

describe("fingerprints", () => {
  it("depend on the passphrase and the salt, but not on the order of keys", () => {
    const key = fingerprintKey("passphrase", "salt");
    expect(key.of({ a: 1, b: 2 })).toBe(fingerprintKey("passphrase", "salt").of({ b: 2, a: 1 }));
    expect(key.id).not.toBe(fingerprintKey("other", "salt").id);
    expect(key.of("x")).not.toBe(fingerprintKey("passphrase", "other").of("x"));
  });
});

describe("a saved plan that somebody has changed", () => {
  const other = { ...plan.steps[0]!, name: "variables/OTHER" };
  const original = savedPlan.parse({ ...plan, steps: [...plan.steps, other] });

  /** Why the file is refused before anything is applied; undefined if it is not. */
  function refuse(value: unknown): string | undefined {
    try {
      const { plan: read } = readPlan(fileIn(folder, "forged.json", JSON.stringify(value)));
      refuseOtherFile(read, plan.fingerprint);
      return [
        ...listTargetDifferences(read, original),
        ...findChangedFiles(read, original),
        ...planDifferences(read, original),
      ][0];
    } catch (error) {
      return (error as Error).message;
    }
  }

  it("is refused, or says nothing that is applied", () => {
    expect(refuse(original)).toBeUndefined();
    const accepted = [...forge(JSON.parse(JSON.stringify(original)))].filter(
      ({ value }) => refuse(value) === undefined,
    );
    // What is applied is planned anew. These are options of the caller, the age, and what a report says besides.
    const free =
      /^(?:without )?(?:createdAt|tool|only|refreshed|guards|requests|pulumiPlan|drift|unmanagedContents|live|\S*\.(hash|\$secret)|state\.|declared\.salt|steps\.\d(\.(name|before|after|changes\.0)\S*)? <->|\S+ = \[\]$)/;
    expect(accepted.map(({ what }) => what).filter((what) => !free.test(what))).toEqual([]);
  });

  it("is refused when it has two operations for one object", () => {
    expect(refuse({ ...original, steps: [...original.steps, other] })).toContain(
      "contains Variable variables/OTHER more than once",
    );
  });
});
