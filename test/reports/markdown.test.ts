/** Tests that no name in a report leaves its place in the Markdown, and that a comment never becomes too long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatMarkdownReport } from "../../reports/markdown/markdown-report.js";
import { createDriftView } from "../../reports/views/drift-view.js";
import { done } from "../automation/events.js";
import { finding, reportWith, unread } from "../cli/commands/drift/support.js";
import { planOf, viewOf } from "../cli/commands/preview/support.js";

/** Limit of GitHub for a comment. */
const COMMENT = 65_536;
const MARKER = "<!-- workspacectl preview us -->";

/** Texts that mean something in Markdown, HTML, or to GitHub and GitLab. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          MARKER,
          "<!--",
          "-->",
          "|",
          "\\",
          "\\|",
          "\\\\|",
          "`",
          "```",
          "``",
          "\n",
          "\r\n",
          "\n## x",
          "\n| a | b |",
        ],
        ...[
          "</details>",
          "<img src=x onerror=alert(1)>",
          "[x](javascript:alert(1))",
          "![](http://x)",
          "@all",
          "#12",
        ],
        ...[
          "!3",
          "~bug",
          "https://evil.example",
          "www.evil.example",
          "\u202e",
          "\u200b",
          "&lt;",
          "**",
          "_",
          " ",
        ],
      ),
      fc.string({ unit: "grapheme", maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const allowedLine =
  /^(## |\*\*[^*]+\*\*|- | {2}- |<details>$|<\/details>$|<summary>|<sub>|\[?(\d+ )?(groups?|variables?)( |$)|$)/;
const allowedTags = /<\/?(details|summary|b|sub|br)>/g;

/** Checks everything that a name could have broken. */
function check(text: string): void {
  expect(text.length).toBeLessThanOrEqual(COMMENT);
  expect(text).not.toContain("<!--");
  let fence = "";
  for (const line of text.split("\n")) {
    // Nothing in a block means anything, except for its end.
    const [, begins] = /^(~{3,})(?:diff|yaml)$/.exec(line) ?? [];
    if (fence === "" && begins !== undefined) {
      fence = begins;
      continue;
    }
    if (fence !== "") {
      if (line === fence) fence = "";
      else expect(line).not.toMatch(new RegExp(`^ {0,3}${fence}`));
      continue;
    }
    expect(line).toMatch(allowedLine);
    // A fence is longer than any in the name, so the spans of a line can be told apart.
    const outside = line.replaceAll(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
    expect(outside.replaceAll(allowedTags, "")).not.toMatch(
      /<|(?<!\\)`|(?<!\\)\[(?!\w* \]\()|@\p{L}|:\/\/(?!service)/u,
    );
  }
  expect(text.match(/^<details>$/gm)?.length).toBe(text.match(/^<\/details>$/gm)?.length);
}

const eventsWith = (names: readonly string[], value: string) =>
  names.flatMap((name, index) => [
    done("create", ["Group", `groups/${name}`], undefined, { name }),
    done("update", ["Group", `others/${index}/${name}`], { description: value }, { description: name }),
    done("delete", ["Variable", `variables/${name}`], { key: name }),
  ]);

describe("a report as Markdown", () => {
  it("keeps every name of a plan in its place", () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), hostile, hostile, (names, value, text) => {
        const plan = planOf(eventsWith(names, value), {
          verdicts: [{ guard: "max-deletes", message: text, objects: names, remedy: value, ignored: false }],
          access: { impacts: [], lines: [text, value] },
          taken: [{ type: "Group", name: text, what: value, adoptable: false }],
          remedies: [text],
          notes: [text],
        });
        const written = formatMarkdownReport(viewOf(plan, { result: "refused" }));
        check(written);
        expect(written).toContain(plan.fingerprint.slice(0, 19));
      }),
      { numRuns: 100 },
    );
  });

  it("keeps every name of a drift report in its place", () => {
    fc.assert(
      fc.property(hostile, hostile, (name, value) => {
        const findings = [
          finding({ name, live: value }),
          finding({ class: "added", path: "", name, live: { name: value } }),
        ];
        const incomplete = [{ ...unread, name, reason: value }];
        const report = reportWith({ findings, incomplete, warnings: [{ code: "engine", message: value }] });
        check(formatMarkdownReport(createDriftView(report)));
      }),
      { numRuns: 100 },
    );
  });

  it("never becomes longer than a comment may be, and counts what it omits", () => {
    const long = fc
      .tuple(hostile, fc.integer({ min: 1, max: 40 }))
      .map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(long, long, fc.integer({ min: 0, max: 120 }), (name, value, count) => {
        const names = Array.from({ length: count }, (_, index) => `${index}${name}`);
        const texts = names.map((text) => `${text}${value}`);
        const plan = planOf(eventsWith(names, value), {
          verdicts: texts.map((message) => ({
            ...{ guard: "max-deletes" as const, message, objects: names, remedy: value, ignored: false },
          })),
          access: { impacts: [], lines: texts },
          taken: texts.map((what) => ({ type: "Group", name, what, adoptable: false })),
          remedies: texts,
          notes: texts,
        });
        const written = formatMarkdownReport(
          viewOf(plan, { result: "refused", file: name, workspace: name, stack: value }),
        );
        check(written);
        expect(written).toContain(plan.fingerprint.slice(0, 19));
        if (count > 0) expect(written).toMatch(/^\*\*Guards\*\*$/m);
        if (count > 0) expect(written).toMatch(/^\*\*Access\*\*$/m);
      }),
      { numRuns: 12 },
    );
  });

  it("keeps guards, access and fingerprint of a large plan, and counts what has no room", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `group ${index}`);
    const lines = names.map((name) => `${name} loses read/write access to the repository of web`);
    const plan = planOf(eventsWith(names, "x"), { access: { impacts: [], lines } });
    const written = formatMarkdownReport(viewOf(plan));
    check(written);
    expect(written.length).toBeGreaterThan(50_000);
    expect(written).toContain(plan.fingerprint.slice(0, 19));
    expect(written).toContain("**1000 to delete**");
    expect(written).toContain("<b>1000 to create</b>: 1000 groups");
    expect(written).toMatch(/^- \*\*\d+ more do not fit here\*\*/m);
    const blocks = written.match(/^group `others\/.*$/gm) ?? [];
    const [, left] = /^\*\*(\d+) more objects do not fit here\*\*/m.exec(written) ?? [];
    expect(blocks.length + Number(left)).toBe(1000);
  });

  it("shows the largest risks of 500 changed objects first", () => {
    const update = (type: string, name: string, at: number) =>
      done("update", [type, name], { name: "a", key: "a" }, { name: `b${at}`, key: `b${at}` });
    const script = (text: string) => ({
      name: "Build",
      type: "BUILD",
      executeCommands: [`set -e\n${text}\n`],
    });
    const plan = planOf([
      ...Array.from({ length: 498 }, (_, at) => update("Variable", `variables/${at}`, at)),
      update("GroupMember", "groups/QA/members/ann", 1),
      done("update", ["Action", "projects/web/pipelines/x/actions/Build"], script("make"), script("evil")),
    ]);
    const written = formatMarkdownReport(viewOf(plan));
    check(written.replace(/^(action|group member) /gm, "group "));
    const titles = [...written.matchAll(/^(action|group member|variable) `/gm)].map(([, kind]) => kind);
    expect(titles.slice(0, 3)).toEqual(["action", "group member", "variable"]);
    expect(written).toContain("- make\n+ evil");
    const left = Number(/^\*\*(\d+) more objects/m.exec(written)?.[1] ?? 0);
    expect(titles.length + left).toBe(500);
  });

  it("writes equal changes of many objects once, with all names", () => {
    const change = [{ description: "old" }, { description: "new" }] as const;
    const plan = planOf(
      Array.from({ length: 500 }, (_, at) => done("update", ["Group", `groups/${at}`], ...change)),
    );
    const written = formatMarkdownReport(viewOf(plan));
    check(written.replace(/^`groups.*$/m, ""));
    expect(written.match(/^- description: "old"$/gm)).toHaveLength(1);
    for (let at = 0; at < 500; at += 1) expect(written).toContain(`\`groups/${at}\``);
  });

  it("links the lines of the file, and names the commit and the run, as the CI says them", () => {
    const env = {
      ...{
        GITLAB_CI: "true",
        CI_COMMIT_SHA: "0123456789abcdef",
        CI_PROJECT_URL: "https://git.example.com/o/r",
      },
      CI_PIPELINE_URL: "https://git.example.com/o/r/-/pipelines/77",
    };
    const view = viewOf(planOf(eventsWith(["a"], "x")));
    const findings = view.findings.map((one) => ({
      ...one,
      place: { file: "dir/my file.yaml", line: 7, column: 3 },
    }));
    const written = formatMarkdownReport({ ...view, findings }, env);
    expect(written).toContain(
      "[group `others/0/a`](https://git.example.com/o/r/-/blob/0123456789abcdef/dir/my%20file.yaml#L7)",
    );
    expect(written).toContain("commit 0123456789 · [run](https://git.example.com/o/r/-/pipelines/77)");
    expect(formatMarkdownReport({ ...view, findings }, { ...env, CI_COMMIT_SHA: "no hash" })).not.toContain(
      "/blob/",
    );
  });
});
