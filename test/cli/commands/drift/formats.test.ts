/** Tests the report of drift in each format. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { JSDOM } from "jsdom";
import pc from "picocolors";
import type { Log } from "sarif";
import { describe, expect, it } from "vitest";
import { driftIgnoreFile, type DriftReport } from "../../../../automation/drift/drift-report.js";
import { publishReport } from "../../../../automation/report/findings-report.js";
import { formatJsonReport } from "../../../../automation/report/report-schemas.js";
import { formatJunit as junitOf } from "../../../../reports/junit.js";
import { formatMarkdownReport as markdownOf } from "../../../../reports/markdown/markdown-report.js";
import { formatSarif as sarifOf } from "../../../../reports/sarif.js";
import { formatReportTable as tableOf } from "../../../../reports/table.js";
import { createDriftView } from "../../../../reports/views/drift-view.js";
import { finding, reportWith, unread } from "./support.js";

const junit = (report: DriftReport) => junitOf(createDriftView(report));
const markdown = (report: DriftReport) => markdownOf(createDriftView(report));
const sarif = (report: DriftReport, env: NodeJS.ProcessEnv) => sarifOf(createDriftView(report), env);
const table = (report: DriftReport, colors: Parameters<typeof tableOf>[1]) =>
  tableOf(createDriftView(report), colors);

const repository = join(import.meta.dirname, "../../../..");
const schemaAt = (path: string) => JSON.parse(readFileSync(join(repository, path), "utf8")) as object;

const ignores = driftIgnoreFile.parse(
  "drift-ignore.yaml",
  "version: 1\nignore:\n  - { object: groups/Hackers, reason: They are fine, expires: 2027-01-01 }\n  - { object: groups/Gone, reason: x }\n",
);
const nasty = finding({
  id: "n1",
  name: 'groups/<b>|`"&\u0007@all',
  path: "description",
  live: "a\nb | `c` <script>",
});
const reports: Record<string, DriftReport> = {
  "with findings of every class": reportWith(),
  "with what was ignored and what could not be read": reportWith({
    suppressions: ignores,
    incomplete: [unread],
  }),
  "with warnings": reportWith({ suppressions: ignores }),
  "with texts that mean something in other forms": reportWith({ findings: [nasty] }),
  "without findings": { ...reportWith({ findings: [] }), changedSinceLast: false },
};
const each = Object.entries(reports);

describe("json", () => {
  it.each(each)("follows the published schema: %s", (_, report) => {
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(
      schemaAt("schema/drift-report.schema.json"),
    );
    const value: unknown = JSON.parse(
      formatJsonReport(publishReport(report, ["declared", "applied", "live"])),
    );
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
    expect(value).toEqual(JSON.parse(JSON.stringify(report)));
  });
});

describe("the schema of the ignore file", () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    schemaAt("schema/drift-ignore.schema.json"),
  );

  it("accepts the same files as the command", () => {
    expect(
      validate({
        version: 1,
        ignore: [
          { object: "groups/*", path: "description", class: "changed", reason: "x", expires: "2026-12-31" },
        ],
      }),
    ).toBe(true);
    expect(validate({ version: 1, ignore: [{ object: "groups/*" }] })).toBe(false);
    expect(validate({ version: 1, ignore: [{ object: "groups/*", class: "deleted", reason: "x" }] })).toBe(
      false,
    );
  });
});

describe("sarif", () => {
  it.each(each)("follows the schema of SARIF 2.1.0: %s", (_, report) => {
    const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      schemaAt("test/fixtures/sarif-schema-2.1.0.json"),
    );
    validate(JSON.parse(sarif(report, {})));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("has locations relative to the root of the checkout, with ignored findings as suppressions", () => {
    const log = JSON.parse(
      sarif(reportWith({ suppressions: ignores }), { GITHUB_WORKSPACE: process.cwd() }),
    ) as Log;
    const results = log.runs[0]?.results ?? [];
    expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual([
      "drift/deleted error",
      "drift/changed error",
      "drift/pending warning",
      "drift/unverifiable note",
      "drift/added error",
    ]);
    expect(results[1]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: "workspace.yaml" },
      region: { startLine: 5, startColumn: 9 },
    });
    expect(results.at(-1)?.suppressions).toEqual([{ kind: "external", justification: "They are fine" }]);
  });

  it("has no region for an object that was removed from the file", () => {
    const removed = { class: "pending" as const, operation: "delete" as const, path: "", pathParts: [] };
    const report = reportWith({ findings: [finding({ ...removed, place: undefined, declared: undefined })] });
    const log = JSON.parse(sarif(report, {})) as Log;
    expect(log.runs[0]?.results?.map(({ locations }) => locations?.[0])).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: "workspace.yaml" } } },
    ]);
    expect(JSON.stringify(log)).not.toContain('"region"');
  });
});

describe("junit", () => {
  const parsed = (report: DriftReport) =>
    new JSDOM(junit(report), { contentType: "application/xml" }).window.document;

  it.each(each)("is well-formed with correct counts: %s", (_, report) => {
    const document = parsed(report);
    const all = document.documentElement;
    const count = (of: Element, what: string) => of.querySelectorAll(what).length;
    for (const of of [all, ...document.querySelectorAll("testsuite")]) {
      expect(Number(of.getAttribute("tests"))).toBe(count(of, "testcase"));
      expect(Number(of.getAttribute("failures"))).toBe(count(of, "failure"));
      expect(Number(of.getAttribute("errors"))).toBe(count(of, "error"));
    }
    expect(count(all, "testcase")).toBeGreaterThan(0);
    expect(
      [...document.querySelectorAll("testsuite")].map((suite) =>
        [...suite.attributes].map(({ name }) => name),
      ),
    ).toEqual(
      Array.from({ length: 7 }, () => [
        "name",
        "tests",
        "failures",
        "errors",
        "skipped",
        "time",
        "timestamp",
      ]),
    );
  });

  it("has failures for the failing classes, errors for unread objects, and skips for ignored findings", () => {
    const document = parsed(reports["with what was ignored and what could not be read"] as DriftReport);
    const kinds = [...document.querySelectorAll("testcase")].map(
      (one) => `${one.getAttribute("name")}: ${one.firstElementChild?.tagName ?? "passed"}`,
    );
    expect(kinds).toMatchInlineSnapshot(`
      [
        "groups/Ops: failure",
        "groups/QA description: failure",
        "nothing added: passed",
        "groups/New: system-out",
        "projects/web/pipelines/nightly cron: system-out",
        "Variable variables/API_KEY: GET /workspaces/acme/variables: 403 Access denied. (needs WORKSPACE and VARIABLE_INFO): error",
        "groups/Hackers: skipped",
      ]
    `);
  });

  it("contains values unchanged, except for characters that XML does not allow", () => {
    const document = parsed(reportWith({ findings: [nasty] }));
    expect(document.querySelector("failure")?.textContent).toContain("+ a\n+ b | `c` <script>\n");
    expect(document.querySelector("failure")?.parentElement?.getAttribute("name")).toBe(
      'groups/<b>|`"&\\u0007@all description',
    );
  });
});

describe("markdown", () => {
  it("shows what changed in blocks, with links, and folds what needs not be read", () => {
    expect(markdown(reports["with what was ignored and what could not be read"] as DriftReport))
      .toMatchInlineSnapshot(`
        "## 🔴 Drift: 1 deleted, 1 changed, 1 pending, 1 as declared, 1 value not verifiable; 1 could not be read; 1 ignored (workspace acme, stack us)

        **1 deleted**

        - [group \`groups/Ops\`](https://service.example/acme/groups/1) is gone from the workspace

        **Not read**

        - GET /workspaces/acme/variables: 403 Access denied. (needs WORKSPACE and VARIABLE\\_INFO) \`Variable variables/API_KEY\`

        **1 changed** (− declared, + live)

        [group \`groups/QA\`](https://service.example/acme/groups/1)

        ~~~diff
        - description: "Testers"
        + description: "Hobby club"
        ~~~

        <details>
        <summary>1 deleted: arguments</summary>

        [group \`groups/Ops\`](https://service.example/acme/groups/1)

        ~~~yaml
        name: Ops
        ~~~

        </details>

        <details>
        <summary><b>1 pending</b> (− declared, + live)</summary>

        [group \`groups/New\`](https://service.example/acme/groups/1): is declared but not created yet

        ~~~yaml
        name: New
        ~~~

        </details>

        <details>
        <summary><b>1 unverifiable</b></summary>

        - [pipeline \`projects/web/pipelines/nightly\`](https://service.example/acme/groups/1): \`cron\`

        </details>

        <details>
        <summary>1 ignored</summary>

        - added \`groups/Hackers\`: They are fine, until 2027-01-01

        </details>

        <sub>\`https://service.example\` · \`workspace.yaml\` · 2026-11-21T12:00:00Z · 4.3 s · sha256:0fb7d64df9a9</sub>
        "
      `);
  });

  it("escapes markup, cell separators and mentions in names and values", () => {
    const text = markdown(
      reportWith({ findings: [nasty, { ...nasty, class: "deleted", note: "<img src=x> @all *b* [a](b)" }] }),
    );
    expect(text).toContain("~~~diff\n@@ description @@\n- Testers\n+ a\n+ b | `c` <script>\n~~~\n");
    expect(text.replace(/^~~~[^]*?^~~~$/m, "")).not.toMatch(/(^|[^`])<(img|script|b)\b(?![^`]*`)/);
    expect(text).not.toContain(" @all *b*");
  });

  it("fits in a comment, and counts the omitted findings", () => {
    const many = Array.from({ length: 3000 }, (_, index) =>
      finding({ id: `f${index}`, name: `groups/Group ${index}`, live: `Club ${index}` }),
    );
    const text = markdown(reportWith({ findings: many }));
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text).toMatch(/\*\*\d+ more objects do not fit here\*\*/);
    expect(text).toContain("3000 changed");
  });
});

describe("table", () => {
  const plain = (report: DriftReport) => table(report, pc.createColors(false));

  it("shows findings by class and object, unread objects by reason, and the verdict last", () => {
    expect(plain(reports["with what was ignored and what could not be read"] as DriftReport))
      .toMatchInlineSnapshot(`
        "acme · stack us · https://service.example

        - groups/Ops  deleted outside
        ~ groups/QA  description  "Testers" → "Hobby club"
        … groups/New  not applied yet, to create
        ! not read: Variable variables/API_KEY
            GET /workspaces/acme/variables: 403 Access denied. (needs WORKSPACE and VARIABLE_INFO)

        ignored: added groups/Hackers (They are fine, until 2027-01-01)
        Drift: 1 deleted, 1 changed, 1 pending, 1 as declared, 1 value not verifiable; 1 could not be read; 1 ignored (4.3 s).
        "
      `);
  });

  it("groups what a token may not read by the right that it lacks, and names the first objects", () => {
    const denied = (n: number, scope: string) => ({
      ...unread,
      name: `variables/V${n}`,
      reason: `GET /workspaces/acme/projects/web/pipelines/${n}: 403 Access denied: you are not a member of this project. This requires a token with the scope ${scope}.`,
    });
    const hidden = (name: string) => ({
      ...unread,
      name,
      reason: `${name} in workspace acme is perhaps hidden from this token: use another one`,
    });
    const lines = plain(
      reportWith({
        findings: [],
        incomplete: [
          ...Array.from({ length: 15 }, (_, n) => denied(n, n % 2 === 0 ? "A" : "B")),
          hidden("groups/a"),
          hidden("groups/b"),
        ],
      }),
    ).split("\n");
    expect(lines.filter((line) => line.startsWith("! not read"))).toEqual([
      expect.stringMatching(/Variable variables\/V0, .*Variable variables\/V11, and 3 more$/) as string,
      "! not read: Variable groups/a, Variable groups/b",
    ]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^ {4}GET .* scope A\..* The same of 14 more requests\.$/),
    );
    expect(lines.join("\n")).toContain("\n    each is perhaps hidden from this token: use another one");
  });

  it("removes control characters from names and values", () => {
    const steering = "\u001b[2J\u009b31m\nx";
    const text = plain(
      reportWith({
        findings: [finding({ name: `groups/${steering}`, live: steering, note: steering })],
        incomplete: [{ ...unread, name: steering, reason: steering }],
      }),
    );
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    expect(text.split("\n").filter((line) => line.startsWith("x"))).toEqual([]);
  });

  it("is short without findings", () => {
    expect(plain(reports["without findings"] as DriftReport)).toMatchInlineSnapshot(`
      "No drift: 3 objects as declared (4.3 s).
      The findings are the same as in the last run.
      "
    `);
  });
});
