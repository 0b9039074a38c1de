/** Tests automation/drift/drift-report.ts. */
import { describe, expect, it } from "vitest";
import {
  type DriftFinding,
  driftIgnoreFile,
  fingerprintDrift as setFingerprint,
} from "../../../automation/drift/drift-report.js";
import { formatJsonReport } from "../../../automation/report/report-schemas.js";
import { readReport } from "../../../cli/commands/drift/select-findings.js";
import { HIDDEN } from "../../../diff/values.js";
import { countsText } from "../../../reports/format-values.js";
import {
  createDriftView,
  formatDriftVerdict,
  formatFinding,
  formatSentence,
} from "../../../reports/views/drift-view.js";
import { SecretValue, toJson } from "../../../text/json-value.js";
import { finding, reportWith, unread } from "../../cli/commands/drift/support.js";
import { fileIn, temporaryFolder } from "../../cli/support.js";

describe("the verdict", () => {
  it("is drift if there is a finding of a failing class", () => {
    expect(reportWith()).toMatchObject({ result: "drift", exitCode: 7 });
    expect(reportWith({ failOn: ["unverifiable"] })).toMatchObject({ result: "drift", exitCode: 7 });
  });

  it("is clean if there is none", () => {
    expect(reportWith({ failOn: [] })).toMatchObject({ result: "clean", exitCode: 0 });
    expect(reportWith({ findings: [] })).toMatchObject({ result: "clean", exitCode: 0, complete: true });
  });

  it("is never clean if something could not be read", () => {
    const nothing = reportWith({ findings: [], incomplete: [unread] });
    expect(nothing).toMatchObject({ result: "incomplete", exitCode: 10, complete: false });
    expect(reportWith({ failOn: [], incomplete: [unread] }).exitCode).toBe(10);
  });

  it("is drift if there are findings, even if the run is incomplete", () => {
    expect(reportWith({ incomplete: [unread] })).toMatchObject({
      result: "drift",
      exitCode: 7,
      complete: false,
    });
  });

  it("does not count ignored findings", () => {
    const ignores = driftIgnoreFile.parse(
      "i.yaml",
      'version: 1\nignore: [{ object: "**", reason: All of it }]\n',
    );
    const report = reportWith({ suppressions: ignores });
    expect(report.counts).toEqual({ deleted: 1, changed: 0, added: 0, pending: 0, unverifiable: 0 });
    expect(report.ignored).toHaveLength(4);
    expect(formatDriftVerdict(report)).toBe("Drift: 1 deleted, 2 as declared; 4 ignored");
  });

  it("counts unchanged objects, which are neither found nor unread", () => {
    expect(reportWith().unchanged).toBe(1);
    const other = { ...unread, type: "Group", name: "groups/Other" };
    expect(reportWith({ incomplete: [other] }).unchanged).toBe(0);
    expect(reportWith({ incomplete: [{ ...other, list: true }] }).unchanged).toBe(1);
  });

  it("counts objects, also those of which several properties differ", () => {
    const changed = { class: "changed", type: "Group", name: "groups/QA", secret: false } as const;
    const properties = ["name", "description"].map((path) => ({
      ...changed,
      id: path,
      path,
      pathParts: [path],
    }));
    const report = reportWith({ findings: properties });
    expect(report.counts.changed).toBe(2);
    expect(formatDriftVerdict(report)).toBe("Drift: 1 changed, 2 as declared");
    expect(createDriftView(report).counts["changed"]).toBe(1);
  });

  it("offers no revert of what was created again under its name", () => {
    const one = { type: "Group", name: "groups/QA", secret: false, path: "", pathParts: [] };
    const again: DriftFinding[] = [
      { ...one, id: "1", class: "deleted" },
      { ...one, id: "2", class: "added" },
    ];
    const labelsOf = (findings: readonly DriftFinding[]) => {
      const view = createDriftView(reportWith({ findings }), { again: [] });
      return [view.findings[0]?.remedies, view.remediesForAll].map((all) => all?.map(({ label }) => label));
    };
    expect(labelsOf(again)).toEqual([["accept"], ["accept"]]);
    expect(labelsOf(again.slice(0, 1))).toEqual([
      ["accept", "revert"],
      ["accept", "revert"],
    ]);
  });

  it("is printed in one line", () => {
    expect(formatDriftVerdict(reportWith({ findings: [] }))).toBe("No drift: 3 objects as declared");
    expect(formatDriftVerdict(reportWith({ findings: [], incomplete: [unread] }))).toBe(
      "Incomplete: 3 objects as declared; 1 could not be read",
    );
    expect(countsText({ deleted: 0, changed: 2 })).toBe("2 changed");
  });
});

describe("the fingerprint of a report", () => {
  const [one, two] = [finding(), finding({ id: "two", path: "name" })];

  it("does not depend on order, time or file path", () => {
    expect(setFingerprint([one, two], [])).toBe(setFingerprint([two, one], []));
    const { fingerprint } = reportWith();
    const later = reportWith({
      now: new Date("2027-01-01"),
      milliseconds: 1,
      file: "elsewhere/workspace.yaml",
    });
    expect(later.fingerprint).toBe(fingerprint);
    expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("changes if a finding is added, removed or has another value, or if something cannot be read", () => {
    const all = [
      setFingerprint([], []),
      setFingerprint([one], []),
      setFingerprint([one, two], []),
      setFingerprint([{ ...one, live: "Chess club" }], []),
      setFingerprint([one], [unread]),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it("omits secrets without lasting fingerprints, and the reason of unread objects", () => {
    const secret = (live: string) => [finding({ secret: true, live })];
    expect(setFingerprint(secret("hmac:1"), [])).not.toBe(setFingerprint(secret("hmac:2"), []));
    expect(setFingerprint(secret("hmac:1"), [], false)).toBe(setFingerprint(secret("hmac:2"), [], false));
    expect(setFingerprint([], [{ ...unread, reason: "another" }])).toBe(setFingerprint([], [unread]));
  });
});

describe("the text of a finding", () => {
  it("is one sentence for each class", () => {
    expect(reportWith().findings.map((one) => `${one.name}: ${formatSentence(one)}`)).toMatchInlineSnapshot(`
      [
        "groups/Ops: is gone from the workspace",
        "groups/QA: description: declared "Testers", live "Hobby club"",
        "groups/Hackers: is in the workspace and not declared",
        "groups/New: is declared but not created yet",
        "projects/web/pipelines/nightly: cron: the service does not return it, so it cannot be compared with the declaration",
      ]
    `);
  });

  it("shows names next to numbers, and what changes of a secret as fingerprints", () => {
    const labels = { "12": "Developer" };
    expect(formatSentence(finding({ labels, declared: [12, 13], live: null }))).toBe(
      'description: declared ["Developer (12)",13], live (none)',
    );
    expect(
      formatSentence(
        finding({ secret: true, declared: new SecretValue("hmac:1"), live: new SecretValue("hmac:2") }),
      ),
    ).toBe("description: [secret, changed] hmac:1 → hmac:2");
  });

  it("contains the lines that differ", () => {
    const one = finding({ declared: "a\nb\n", live: "a\nc\n" });
    expect(formatFinding(one)).toBe("description (- declared, + live):    a  - b  + c");
  });
});

it("is read back with the values that its marks stand for", () => {
  const live = toJson({ $ref: "main", token: new SecretValue("hmac:1") });
  const file = fileIn(
    temporaryFolder(),
    "drift.json",
    formatJsonReport(reportWith({ findings: [finding({ live })] })),
  );
  expect(readReport(file).findings).toMatchObject([
    { declared: "Testers", live: { $ref: "main", token: HIDDEN } },
  ]);
});
