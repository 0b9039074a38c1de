/** Tests that no name in a report leaves its place in the Markdown, and that a comment never becomes too long. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { driftView } from "../../../cli/commands/drift/view.js";
import { markdown } from "../../../cli/reporters/markdown.js";
import { finding, reportWith } from "../commands/drift/support.js";
import { planOf, viewOf } from "../commands/preview/support.js";
import { done } from "../engine/events.js";
import { unread } from "../commands/drift/support.js";

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

/** Splits a row as cmark-gfm does, the parser of GitHub: a backslash escapes any punctuation, also in code. */
function cellsOf(row: string): number {
  return [...row.matchAll(/\\[!-/:-@[-`{-~]|(\|)/g)].filter(([, bar]) => bar !== undefined).length - 1;
}

const allowedLine =
  /^(## |Workspace `|Fingerprint of|<details( open)?>$|<\/details>$|<summary>|\| |\|( --- \|)+$|- | {2}- |\*\*\d+ more|<sub>|\[?(Group|Variable) |$)/;
const allowedTags = /<\/?(details( open)?|summary|b|sub)>/g;

/** Checks everything that a name could have broken. */
function check(text: string): void {
  expect(text.length).toBeLessThanOrEqual(COMMENT);
  expect(text).not.toContain("<!--");
  let columns = 0;
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
    if (line.startsWith("| object |")) columns = cellsOf(line);
    else if (line.startsWith("|")) expect([line, cellsOf(line)]).toEqual([line, columns]);
    // A fence is longer than any in the name, so the spans of a line can be told apart.
    const outside = line.replaceAll(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
    expect(outside.replaceAll(allowedTags, "")).not.toMatch(
      /<|(?<!\\)`|(?<!\\)\[(?!\w* \]\()|@\p{L}|:\/\/(?!service)/u,
    );
  }
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
        const written = markdown(viewOf(plan, { result: "refused" }));
        check(written);
        expect(written).toContain(plan.fingerprint);
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
        check(markdown(driftView(report)));
      }),
      { numRuns: 100 },
    );
  });

  it("never becomes longer than a comment may be, and counts what it leaves out", () => {
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
        const written = markdown(
          viewOf(plan, { result: "refused", file: name, workspace: name, stack: value }),
        );
        check(written.replace(/^Workspace .*$/m, "Workspace `x`"));
        expect(written).toContain(plan.fingerprint);
        if (count > 0) expect(written).toContain(`<b>Guards: ${count}</b>`);
        if (count > 0) expect(written).toContain(`<b>Access: ${count}</b>`);
      }),
      { numRuns: 12 },
    );
  });

  it("keeps guards, access and fingerprint of a large plan", () => {
    const names = Array.from({ length: 1000 }, (_, index) => `group ${index}`);
    const lines = names.map((name) => `${name} loses READ_WRITE on repository of web`);
    const plan = planOf(eventsWith(names, "x"), { access: { impacts: [], lines } });
    const written = markdown(viewOf(plan));
    expect(written.length).toBeGreaterThan(50_000);
    expect(written).toContain(plan.fingerprint);
    expect(written).toMatch(/\*\*\d+ more findings do not fit here\*\*/);
    expect(written).toMatch(/\*\*\d+ more do not fit here\*\*/);
    expect(written).toMatch(/<summary><b>1000 to create<\/b>/);
    const rows = written
      .split("\n")
      .filter((line) => line.startsWith("| Group") || line.startsWith("| Variable"));
    const [, left] = /\*\*(\d+) more findings/.exec(written) ?? [];
    expect(rows.length + Number(left)).toBe(3000);
  });
});
