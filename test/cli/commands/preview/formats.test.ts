/** Tests the report of a plan in each format. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import type { CheckedPlan } from "../../../../automation/policy/checked-plan.js";
import { formatJsonReport } from "../../../../automation/report/report-schemas.js";
import type { OpenStack } from "../../../../automation/stack/open-stack.js";
import { printChecked } from "../../../../cli/operations/preview.js";
import { findQuestionFor } from "../../../../cli/operations/up.js";
import { formatGithub } from "../../../../reports/github.js";
import { formatHtmlReport } from "../../../../reports/html/html-report.js";
import { formatJunit } from "../../../../reports/junit.js";
import { formatMarkdownReport } from "../../../../reports/markdown/markdown-report.js";
import { printLoosened } from "../../../../reports/plan/print-verdicts.js";
import { planReport } from "../../../../reports/views/preview-report.js";
import { done, SECRET } from "../../../automation/events.js";
import { run as command, testIo } from "../../support.js";
import { loosening, planOf, refused, usual, viewOf } from "./support.js";

const repository = join(import.meta.dirname, "../../../..");
const plans: Record<string, CheckedPlan> = {
  "with changes": planOf(usual),
  "that is refused": refused,
  "that loosens guards": loosening,
  "without changes": planOf([]),
};
const each = Object.entries(plans);

const openStack = {
  connection: { workspace: "acme", baseUrl: "https://us.example.com" },
  name: "us",
  file: { file: "workspace.yaml" },
} as unknown as OpenStack;

describe("json", () => {
  const schema = JSON.parse(
    readFileSync(join(repository, "schema/preview-report.schema.json"), "utf8"),
  ) as object;

  it.each(each)("follows the published schema, with the keys of earlier releases: %s", (_, plan) => {
    const { value } = planReport(openStack, plan, 0, new Date());
    const written = JSON.parse(formatJsonReport(value)) as Record<string, unknown>;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    validate(written);
    expect(validate.errors ?? []).toEqual([]);
    expect(Object.keys(written)).toEqual(
      expect.arrayContaining([
        "workspace",
        "baseUrl",
        "stack",
        "plan",
        "taken",
        "guards",
        "access",
        "requests",
      ]),
    );
    expect(written["fingerprint"]).toBe(plan.fingerprint);
  });
});

describe("markdown", () => {
  it("says who is concerned, what refuses it, what it takes, and how to approve it", () => {
    expect(formatMarkdownReport(viewOf(refused, { result: "refused" }))).toMatchInlineSnapshot(`
      "## 🔴 Refused: 2 to create, 2 to update, 1 to delete, 1 unchanged (workspace acme, stack us)

      **Guards**

      - ❌ max-deletes: 14 objects would be deleted, and at most 10 may be
        - groups/Old
        - To allow it: --max-deletes 14
      - ⚠️ minimum-admins: one stays (allowed by an option)

      **Names that already exist**

      - ❌ 1 of the 2 objects to create already exists in workspace acme, but stack us does not manage it under this name
        - Choose other names
      - ❌ variables/REGION: variable "REGION" (7)

      **1 to delete**

      - group \`groups/Old\` is deleted

      **Access**

      - bob@&#8203;example.com loses read/write access to the repository of web

      **Starts**

      - web/Build at undefined

      **2 to update**

      group \`groups/QA\`

      ~~~diff
      - description: "Hobby club"
      + description: "Testers"
      ~~~

      variable \`variables/TOKEN\`

      ~~~diff
      ! value: [secret, changed]
      ~~~

      **1 changed outside** (− applied, + now)

      group \`groups/QA\`

      ~~~diff
      - description: "Testers"
      + description: (none)
      ~~~

      **Warnings**

      - a note of the engine

      <details>
      <summary>1 to delete: arguments</summary>

      group \`groups/Old\`

      ~~~yaml
      name: Old
      ~~~

      </details>

      <details>
      <summary><b>2 to create</b>: 1 action, 1 variable</summary>

      action \`projects/web/actions/Build\`

      ~~~yaml
      name: Build
      ~~~

      variable \`variables/REGION\`

      ~~~yaml
      key: REGION
      value: us-east
      ~~~

      </details>

      <details>
      <summary>Requests</summary>

      - about 3 to apply it (0 to read, 3 to write), 20 made so far; the service does not say how many are left

      </details>

      <sub>\`https://us.example.com\` · \`workspace.yaml\` · 2026-11-21T12:00:00Z · 4.3 s · sha256:89360bd65af0</sub>
      "
    `);
  });

  it("is short when there is nothing to do", () => {
    const text = formatMarkdownReport(viewOf(planOf([]), { result: "nothing" }));
    expect(text).toContain("## ✅ No changes: 0 objects as declared");
    expect(text).not.toContain("<details");
  });
});

describe("html", () => {
  it.each(each)("has a card for each change, and a section for what else there is: %s", (_, plan) => {
    const view = viewOf(plan, plan === refused ? { result: "refused" } : {});
    const { document } = new JSDOM(formatHtmlReport(view)).window;
    expect(document.querySelectorAll(".finding")).toHaveLength(view.findings.length);
    expect([...document.querySelectorAll("details.more")].map(({ classList }) => classList[1])).toEqual([
      ...(view.sections ?? []).map(({ name }) => name),
      ...(view.warnings.length > 0 ? ["warnings"] : []),
    ]);
    expect(document.body.textContent).toContain(plan.fingerprint);
    expect(document.querySelectorAll("details.failed")).toHaveLength(
      plan === refused ? 2 : plan === loosening ? 1 : 0,
    );
  });

  it("shows whole values, without the text that finds the provider or what is secret", () => {
    const long = "y".repeat(300);
    const page = formatHtmlReport(
      viewOf(
        planOf([
          done("create", ["Variable", "variables/A"], undefined, {
            key: "A",
            value: SECRET,
            description: long,
          }),
        ]),
      ),
    );
    expect(page).toContain(long);
    expect(page).toContain("[secret]");
    expect(page).not.toMatch(/__provider|ciphertext|exports\.handler/);
  });
});

describe("junit", () => {
  it.each(each)("is well-formed, and fails for what refuses the plan: %s", (_, plan) => {
    const { document } = new JSDOM(formatJunit(viewOf(plan)), { contentType: "application/xml" }).window;
    const failed = [...document.querySelectorAll("failure")].map((one) =>
      one.parentElement?.getAttribute("classname"),
    );
    const loosened = plan.loosened.map(() => "loosened");
    expect(failed).toEqual(plan === refused ? ["guards", "existing", "existing"] : loosened);
    for (const of of [document.documentElement, ...document.querySelectorAll("testsuite")])
      expect(Number(of.getAttribute("tests"))).toBe(of.querySelectorAll("testcase").length);
  });
});

describe("github", () => {
  it("begins with the result and what fails, and has nothing but commands", () => {
    const lines = formatGithub(viewOf(refused, { result: "refused" }), {}).split("\n");
    expect(lines[0]).toMatch(/^::error title=plan result::Refused: 2 to create/);
    expect(lines[1]).toMatch(/^::error title=plan guards::max-deletes/);
    expect(lines.filter((line) => line !== "" && !/^::(error|warning|notice) title=/.test(line))).toEqual([]);
    expect(lines).toContain("::warning title=plan delete::Group groups/Old is deleted");
  });

  it("keeps names from being commands", () => {
    const plan = planOf([
      done("create", ["Group", "groups/a\n::error::x\u001b,b:c%"], undefined, { name: "a" }),
    ]);
    const text = formatGithub(viewOf(plan), {});
    expect(text.split("\n").filter((line) => line.startsWith("::error"))).toEqual([]);
    expect(text).toContain("groups/a\\u000a::error::x\\u001b,b:c%25 is new");
  });
});

describe("a guard that is loosened", () => {
  const view = viewOf(loosening);
  const lines = [
    "maxDeletes: 10 → 100",
    "protectedKinds: Group, Pipeline → (none)",
    "protect: groups/QA is no longer protected",
  ];

  it("is red in every report, also when nothing else changes", () => {
    expect(view.verdict).toBe("No changes: 0 objects as declared; loosens 3 guards");
    const texts = {
      markdown: formatMarkdownReport(view),
      github: formatGithub(view, {}),
      junit: formatJunit(view),
      html: formatHtmlReport(view),
    };
    for (const [format, text] of Object.entries(texts))
      for (const line of lines)
        expect(text.replaceAll("\\", "").replaceAll("&gt;", ">"), format).toContain(line);
    expect(texts.markdown).toContain("## 🔴 No changes: 0 objects as declared; loosens 3 guards");
    expect(texts.github.match(/^::error title=plan loosened::/gm)).toHaveLength(3);
    expect(texts.github).toMatch(/^::error title=plan result::/);
    expect(texts.junit).toContain('failures="3"');
  });

  it("is part of the question before it is applied", () => {
    expect(findQuestionFor(loosening)).toBe("Loosen these guards?");
    const { loosened } = loosening;
    expect(findQuestionFor({ ...planOf(usual), loosened })).toBe("Apply this plan, which loosens guards?");
    expect(findQuestionFor(planOf(usual))).toBe("Apply this plan?");
    expect(findQuestionFor(planOf([]))).toBeUndefined();
  });

  it("names the workspace of a plan without changes, unless the file does", async () => {
    const printed = async (workspace: string | undefined) => {
      const { io, written } = testIo();
      const open = { ...openStack, file: { ...openStack.file, workspace } };
      await printChecked(open, { ...loosening, loosened: [] }, { file: "workspace.yaml", refresh: true }, io);
      return written().stdout;
    };
    expect(await printed(undefined)).toMatch(/^acme · stack us · https:.*\n\nNo changes/);
    expect(await printed("acme")).toMatch(/^No changes/);
  });

  it("is between the heading and the result, although nothing else changes", async () => {
    const { io, written } = testIo();
    await printChecked(openStack, loosening, { file: "workspace.yaml", refresh: true }, io);
    expect(written().stdout.split("\n")).toEqual([
      "acme · stack us · https://us.example.com",
      "",
      "Guards that are looser than at the last up:",
      ...lines.map((line) => `  ${line}`),
      "No changes: 0 objects as declared (4.3 s).",
      "",
    ]);
  });

  it("is data in JSON, and makes the result one with changes", () => {
    const { io, written } = testIo();
    printLoosened(loosening.loosened, io);
    expect(written().stdout).toBe(`Guards that are looser than at the last up:\n  ${lines.join("\n  ")}\n`);
    const report = planReport(openStack, loosening, 0, new Date()).value;
    expect(report).toMatchObject({ result: "changes", loosened: loosening.loosened });
  });
});

describe("the command line", () => {
  it.each([
    [["--format", "sarif"], "It must be one of text, json, markdown, html, junit, github."],
    [
      ["--format", "json", "--format", "markdown"],
      "the formats json and markdown cannot both be written to standard output",
    ],
    [
      ["--format", "markdown", "--json"],
      "the formats markdown and json cannot both be written to standard output",
    ],
  ])("rejects %j before it reads anything", async (argv, message) => {
    const { code, stderr, stdout } = await command(["preview", ...argv]);
    // For programs, the error is the result.
    const isJson = argv.includes("--json") || argv.includes("json");
    expect([code, stdout]).toEqual([1, isJson ? expect.stringContaining('"error"') : ""]);
    expect(stderr).toContain(message);
  });
});
