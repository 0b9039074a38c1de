/** Tests that every form shows everything that changes, whatever the values are. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFinding } from "../../automation/compare/compare-findings.js";
import type { CompareFinding, CompareReport } from "../../automation/compare/compare-report.js";
import { formatDriftHint } from "../../cli/commands/drift/select-findings.js";
import { createFinding } from "../../diff/finding.js";
import { isSameJson, isSameNested } from "../../diff/values.js";
import { formatGithub } from "../../reports/github.js";
import { formatMarkdownReport } from "../../reports/markdown/markdown-report.js";
import { compareView } from "../../reports/views/compare-view.js";
import { createDriftView } from "../../reports/views/drift-view.js";
import { SecretValue } from "../../text/json-value.js";
import { showChange } from "../../text/shown-change.js";
import { done, printed, SECRET } from "../automation/events.js";
import { events as outside, finding, findings, reportWith } from "../cli/commands/drift/support.js";
import { planOf, viewOf } from "../cli/commands/preview/support.js";
import { countCases } from "../stories.js";
import { pair } from "./format-values.js";
import { forms, plainAngles } from "./forms.js";

/** What has to be in a form: all that is removed and added. */
function partsOf(before: unknown, after: unknown): string[] {
  const change = showChange(before, after);
  if ("said" in change) return [change.said];
  if ("before" in change) return [change.before, change.after];
  return change.lines.filter(({ sign }) => sign === "-" || sign === "+").map(({ text }) => text);
}

function check(text: string, parts: readonly string[], form: string): void {
  // Forms with a limit say what they omit.
  if (/\d+ more (lines|characters)/.test(text)) return;
  const isWebhook = form.endsWith("webhook");
  for (const part of parts) expect(text, form).toContain(isWebhook ? plainAngles(part) : part);
}

const compared = (left: unknown, right: unknown) => {
  const group = { type: "Group", name: "groups/QA" };
  return comparisonOf(createFinding("changed", group, ["description"], { left, right }));
};

const comparisonOf = (found: CompareFinding) => {
  const side = { name: "file", kind: "file" as const, objects: 1 };
  const base = reportWith({ findings: [] });
  return compareView({
    ...{
      ...base,
      findings: [found],
      left: side,
      right: { ...side, name: "live" },
      result: "different",
      hidden: [],
    },
    ...{ same: 0, counts: { missing: 0, added: 0, changed: 1, unverifiable: 0 }, failOn: ["changed"] },
  } as unknown as CompareReport);
};

/** Of letters that follow each other in no text of a form. */
const randomSecret = fc.noBias(
  fc.string({ unit: fc.constantFrom(..."QXZJKVWY_"), minLength: 6, maxLength: 40 }),
);

/** A secret as the engine sends it to a program that may read secrets. */
const encrypted = (text: string) => {
  const { ciphertext: _, ...mark } = SECRET;
  return { ...mark, plaintext: JSON.stringify(text) };
};

const sixesOf = (text: string) =>
  Array.from({ length: text.length - 5 }, (_, start) => text.slice(start, start + 6));

const expectNoPart = (texts: readonly string[], secrets: readonly string[]) => {
  for (const text of texts) for (const part of secrets.flatMap(sixesOf)) expect(text).not.toContain(part);
};

describe("every form", () => {
  it("shows what a plan, drift and a comparison change", () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        if (isSameJson(before, after)) return;
        const plan = planOf([
          done("update", ["Group", "groups/QA"], { description: [before, 1] }, { description: [after, 1] }),
        ]);
        const changes = plan.steps.flatMap((step) => step.changes);
        const planned = changes.flatMap((change) => partsOf(change.before, change.after));
        expect(planned.length).toBeGreaterThan(0);
        for (const [name, form] of Object.entries(forms))
          if (name !== "webhook") check(form(viewOf(plan)), planned, `plan as ${name}`);
        if (isSameNested(before, after)) return;
        const [declared, live] = [before, after];
        const view = createDriftView(
          reportWith({ findings: [finding({ declared, applied: declared, live })] }),
        );
        for (const [name, form] of Object.entries(forms)) {
          check(form(view), partsOf(before ?? undefined, after), `drift as ${name}`);
          check(form(compared(before, after)), partsOf(before ?? undefined, after), `comparison as ${name}`);
        }
      }),
      { numRuns: countCases(60, 20) },
    );
  });

  it("shows it before it is applied, with --details and without", () => {
    fc.assert(
      fc.property(pair, fc.boolean(), ([before, after], details) => {
        if (isSameJson(before, after)) return;
        const events = [
          done("refresh", ["Group", "groups/A"], { description: before }, { description: after }),
          done("update", ["Group", "groups/A"], { description: after }, { description: before }),
          done("update", ["Group", "groups/B"], { description: before }, { description: after }),
        ];
        const changes = planOf(events).steps.flatMap((step) => step.changes);
        const text = printed(events, details);
        for (const part of changes.flatMap((change) => partsOf(change.before, change.after)))
          expect(text.split(part).length).toBeGreaterThan(2);
      }),
      { numRuns: countCases(200, 50) },
    );
  });

  it("says that a secret changes", () => {
    const view = viewOf(
      planOf([done("update", ["Variable", "variables/A"], { value: SECRET }, { value: SECRET })]),
    );
    for (const [name, form] of Object.entries(forms))
      if (name !== "webhook") expect(form(view), name).toContain("[secret, changed]");
  });

  it("says that a random secret changes, and shows no part of it", () => {
    fc.assert(
      fc.property(randomSecret, randomSecret, (before, after) => {
        fc.pre(before !== after);
        const [olds, news] = [{ value: encrypted(before) }, { value: encrypted(after) }];
        const events = [done("update", ["Variable", "variables/A"], olds, news)];
        const view = viewOf(planOf(events));
        const texts = Object.entries(forms)
          .filter(([name]) => name !== "webhook")
          .map(([, form]) => form(view));
        texts.push(printed(events), printed(events, true));
        for (const text of texts) expect(text).toContain("[secret, changed]");
        expectNoPart(texts, [before, after]);
      }),
      { numRuns: countCases(30, 15) },
    );
  });

  it("says that a random secret was changed outside, and shows no part of it", () => {
    const clear = (text: string) => text;
    fc.assert(
      fc.property(randomSecret, randomSecret, fc.boolean(), (before, after, isKnown) => {
        fc.pre(before !== after);
        // Without fingerprints, only a value that the file alone makes secret is known to differ.
        const seen = isKnown ? encrypted : clear;
        const declared = { value: encrypted(before) };
        const [applied, live] = [{ value: seen(before) }, { value: seen(after) }];
        const prints = {
          declared: { value: "hmac:1" },
          applied: { value: "hmac:1" },
          live: { value: "hmac:2" },
        };
        const found = findings(
          outside("Variable", "variables/A", { declared, applied, live }, isKnown ? { prints } : {}),
        );
        expect(found.map(({ class: of, secret }) => [of, secret])).toEqual([["changed", true]]);
        const report = reportWith({ findings: found });
        const texts = [
          ...Object.values(forms).map((form) => form(createDriftView(report))),
          ...found.map(formatDriftHint),
        ];
        const said = isKnown ? "[secret, changed] hmac:1 → hmac:2" : "[secret, changed]";
        for (const text of texts) expect(text).toContain(said);
        expectNoPart([...texts, JSON.stringify(report)], [before, after]);
      }),
      { numRuns: 30 },
    );
  });

  it("says that a random secret differs between two workspaces, and shows no part of it", () => {
    const at = { class: "changed", type: "Variable", name: "variables/A", path: ["value"] } as const;
    const nowhere = { links: {}, places: {} };
    fc.assert(
      fc.property(randomSecret, randomSecret, (left, right) => {
        fc.pre(left !== right);
        const found = compareFinding({ ...at, ...nowhere, left, right, secret: true }, "00".repeat(32));
        const view = comparisonOf(found);
        const texts = Object.values(forms).map((form) => form(view));
        for (const text of texts) expect(text).toMatch(/\[secret, changed\] hmac:\w+ → hmac:\w+/);
        expectNoPart([...texts, JSON.stringify(view)], [left, right]);
      }),
      { numRuns: 30 },
    );
  });

  it("says that a secret was added or removed", () => {
    const one = new SecretValue("hmac:1");
    for (const [before, after] of [
      [undefined, one],
      [one, undefined],
    ]) {
      const found = finding({ declared: before, applied: before, live: after, secret: true });
      const drift = createDriftView(reportWith({ findings: [found] }));
      for (const view of [drift, compared(before, after)])
        for (const [name, form] of Object.entries(forms)) {
          expect(form(view), name).toContain("[secret] hmac:1");
          expect(form(view), name).toContain("(none)");
        }
    }
  });

  it("says what has no room", () => {
    const lines = Array.from({ length: 1500 }, (_, index) => `line ${index} of a script that is long`);
    const update = (index: number) => [
      done(
        "update",
        ["Group", `groups/${index}`],
        { description: lines.join("\n") },
        { description: lines.map((line) => `${line}! ${index}`).join("\n") },
      ),
    ];
    const one = viewOf(planOf(update(1)));
    expect(formatGithub(one, {})).toMatch(
      /@@ \d+ more lines, \d+ of them changed: see the report as JSON or HTML @@/,
    );
    expect(formatMarkdownReport(one)).toMatch(
      /@@ \d+ more lines, \d+ of them changed: see the report as JSON or HTML @@/,
    );
    const many = formatMarkdownReport(
      viewOf(planOf(Array.from({ length: 150 }, (_, index) => update(index)).flat())),
    );
    expect(many.length).toBeLessThan(65_536);
    expect(many).toMatch(/\*\*\d+ more objects do not fit here\*\*/);
    const [before, after] = ["x".repeat(9000), "y".repeat(9000)];
    const long = viewOf(
      planOf([done("update", ["Group", "g"], { description: before }, { description: after })]),
    );
    expect(formatGithub(long, {})).toMatch(/… \(\d+ more characters\)/);
    for (const line of formatGithub(long, {}).split("\n")) expect(line.length).toBeLessThan(4096 + 100);
  });
});
