import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { chromiumPath } from "../../browser.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const quickstart = ["-f", "examples/quickstart/workspace.yaml"];
const secrets = {
  WORKSPACE_VAR_DEPLOY_TOKEN: "token-in-clear",
  WORKSPACE_VAR_SERVER_PASSWORD: "password-in-clear",
};
const draw = (...argv: string[]) => run(["graph", ...argv], secrets);

/** Names with special characters of Mermaid, XML, HTML or Markdown. */
const nasty = [
  'a "quoted" <b>name</b> & more',
  "end",
  "%%{init: {}}%%",
  "1. first [x](http://e.com) `code` *b* _i_ # ; |pipe| {{y}}",
  "]]>--><script>alert(1)</script>",
  "日本語の名前 🚀",
  `long ${"name ".repeat(60)}`,
];
const action = (name: string, more: object = {}) => ({
  name,
  type: "PING",
  triggerTime: "ON_EVERY_EXECUTION",
  destination: "x",
  ...more,
});
const pipeline = (actions: object[]) => ({
  triggerMode: "MANUAL",
  refType: "BRANCH",
  refName: "main",
  actions,
});
const file = (name: string, value: object) =>
  fileIn(folder, name, stringify({ version: 1, workspace: "acme", ...value }));

const nastyFile = file("nasty.yaml", {
  permissionSets: Object.fromEntries(
    nasty.map((name) => [
      name,
      { description: name, repositoryAccessLevel: "DENIED", pipelineAccessLevel: "RUN_ONLY" },
    ]),
  ),
  groups: Object.fromEntries(nasty.map((name) => [name, { members: ["ann@example.com"] }])),
  members: { "ann@example.com": { admin: true } },
  projects: {
    web: {
      displayName: nasty[0],
      members: { "ann@example.com": { permissionSet: nasty[3] } },
      pipelines: Object.fromEntries(
        nasty.map((name) => [
          name,
          pipeline([...nasty.map((each) => action(each)), action("z", { triggerTime: "ON_FAILURE" })]),
        ]),
      ),
    },
  },
});
const large = file("large.yaml", {
  projects: Object.fromEntries(
    Array.from({ length: 10 }, (_, p) => [
      `project-${p}`,
      {
        pipelines: Object.fromEntries(
          Array.from({ length: 20 }, (_, n) => [
            `Pipeline ${n}`,
            pipeline(Array.from({ length: 4 }, (_, a) => action(`Step ${a}`))),
          ]),
        ),
      },
    ]),
  ),
});

describe("graph as Mermaid", () => {
  let parse: (text: string) => Promise<unknown>;
  beforeAll(async () => {
    const { window } = new JSDOM("");
    Object.assign(globalThis, { window, document: window.document });
    const { default: mermaid } = await import("mermaid");
    mermaid.initialize({ maxEdges: 10_000, maxTextSize: 1_000_000 });
    parse = (text) => mermaid.parse(text);
  });
  // Other test files use the same process.
  afterAll(() => {
    for (const name of ["window", "document"]) Reflect.deleteProperty(globalThis, name);
  });

  it("shows projects, pipelines, actions in order with their conditions, and access", async () => {
    const { code, stdout } = await draw(...quickstart);
    expect(code).toBe(0);
    expect(await parse(stdout)).toMatchObject({ diagramType: "flowchart-v2" });
    expect(stdout).toContain('subgraph p0["Project web: Web shop"]');
    expect(stdout).toContain('subgraph p0l0["Pipeline Deploy, on every push to main"]');
    expect(stdout).toContain('p0l0a2 --> p0l0a3["3 · Is it up#63;<br/>PING"]');
    expect(stdout).toContain('p0l0a4 -.-> |"on failure (first only)"| p0l0a5');
    expect(stdout).toContain('m1 --> |"developers<br/>repository: read write, pipelines: read write"| p0');
    expect(stdout).toContain('(["ann@example.com<br/>administrator"]):::admin');
  });

  it.each([
    ["projects", ["Project web"], ["Pipeline", "ann@"]],
    ["pipelines", ["Project web", "Pipeline"], ["ann@"]],
    ["access", ["ann@", "Group QA", "Project web", '--> |"developers<'], ["Pipeline"]],
    ["projects,access", ["Project web", "ann@"], ["Pipeline Deploy"]],
  ])("shows only %s on request", async (only, there, absent) => {
    const { stdout } = await draw(...quickstart, "--parts", only);
    await parse(stdout);
    for (const text of there) expect(stdout).toContain(text);
    for (const text of absent) expect(stdout).not.toContain(text);
  });

  it("shows a single project and its members on request", async () => {
    const { stdout } = await draw(...quickstart, "--project", "api");
    await parse(stdout);
    expect(stdout).toContain("Project api");
    expect(stdout).not.toContain("Project web");
    expect(stdout).not.toContain("cleo@example.com");
    const { code, stderr } = await draw(...quickstart, "--project", "wep");
    expect(code).toBe(1);
    expect(stderr).toContain('no project "wep" is declared: there is web, api');
  });

  it("escapes every name", async () => {
    const { code, stdout } = await draw("-f", nastyFile);
    expect(code).toBe(0);
    await parse(stdout);
    expect(stdout).not.toMatch(/<(?!br\/>)/);
  });

  it("warns if Mermaid would reject the drawing", async () => {
    const { code, stderr } = await draw("-f", large);
    expect(code).toBe(0);
    expect(stderr).toMatch(/this drawing has 600 lines between its parts .* use --format svg/);
  });
});

describe("graph as SVG", () => {
  const widthOf = (text: string) => Number(/<svg [^>]*width="(\d+)"/.exec(text)?.[1]);

  it("is as wide as its contents, up to the width of a page", async () => {
    const small = file("small.yaml", { projects: { web: { displayName: "Web shop" } } });
    const { stdout: one } = await draw("--format", "svg", "-f", small);
    expect(widthOf(one)).toBeLessThan(400);
    // Every rectangle must end inside the image.
    for (const [, x, width] of one.matchAll(
      /<rect class="(?!page)[^"]*" x="([\d.]+)"[^>]*? width="([\d.]+)"/g,
    ))
      expect(Number(x) + Number(width)).toBeLessThanOrEqual(widthOf(one));
    const { stdout: many } = await draw("--format", "svg", "-f", large);
    expect(widthOf(many)).toBe(1280);
  });

  const image = async (...argv: string[]) => {
    const { code, stdout } = await draw("--format", "svg", ...argv);
    expect(code).toBe(0);
    const { window } = new JSDOM("");
    const parsed = new window.DOMParser().parseFromString(stdout, "image/svg+xml");
    expect(parsed.querySelector("parsererror")).toBeNull();
    return {
      text: stdout,
      texts: [...parsed.querySelectorAll("text")].map((each) => each.textContent ?? ""),
    };
  };

  it("shows the same contents in light and dark themes", async () => {
    const { text, texts } = await image(...quickstart);
    const expected = [
      "Workspace acme",
      "web",
      "Deploy",
      "on every push to main",
      "Is it up?",
      "on failure (first only)",
      "administrator",
    ];
    expect(texts).toEqual(expect.arrayContaining(expected));
    expect(text).toContain("prefers-color-scheme:dark");
    const inOrder = ["Build and test", "Restart the application", "Is it up?", "Tell the monitoring"];
    expect(texts.filter((each) => inOrder.includes(each))).toEqual(inOrder);
  });

  it("escapes every name, and shortens long ones with the full name in a tooltip", async () => {
    const { text, texts } = await image("-f", nastyFile);
    expect(text).not.toContain("<script>");
    expect(texts).toContain(nasty[5]);
    expect(texts.some((each) => each.includes("…"))).toBe(true);
    expect(text).toContain(`<title>${nasty[6]}</title>`);
  });

  it("can contain 200 pipelines", async () => {
    const { texts } = await image("-f", large);
    expect(texts.filter((each) => each.startsWith("Pipeline "))).toHaveLength(200);
    expect(texts.filter((each) => each.startsWith("Step "))).toHaveLength(800);
  });

  it("is written to a file in the format of its extension", async () => {
    const path = join(folder, "workspace.svg");
    const { code, stdout, stderr } = await draw(...quickstart, "-o", path);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `Written: ${path}\n` });
    expect(readFileSync(path, "utf8")).toMatch(/^<svg /);
    const nowhere = await draw(...quickstart, "-o", join(folder, "none", "workspace.svg"));
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain("workspace.svg cannot be written");
  });

  const title = chromiumPath === undefined ? " (skipped: no Chromium is installed)" : "";
  it.skipIf(chromiumPath === undefined)(
    `keeps all texts inside the frame and their boxes in a browser${title}`,
    async () => {
      const { text } = await image("-f", nastyFile);
      const browser = await chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox"] });
      try {
        const page = await browser.newPage();
        await page.setContent(`<body style="margin:0">${text}</body>`);
        const outside = await page.evaluate(() => {
          interface Shape {
            readonly tagName: string;
            readonly textContent: string;
            getBoundingClientRect(): { left: number; right: number; top: number; bottom: number };
          }
          const { document } = globalThis as unknown as {
            document: { querySelectorAll(q: string): Iterable<Shape> };
          };
          // Later elements belong to the innermost box around their start.
          const boxes: Shape[] = [];
          return [...document.querySelectorAll("svg text, svg rect")]
            .filter((each) => {
              const { left, right, top, bottom } = each.getBoundingClientRect();
              const around = boxes.findLast((box) => {
                const frame = box.getBoundingClientRect();
                return frame.left <= left && frame.right > left && frame.top <= top + 3 && frame.bottom > top;
              });
              if (each.tagName === "rect") boxes.push(each);
              const frame = around?.getBoundingClientRect();
              return frame !== undefined && (right > frame.right + 1 || bottom > frame.bottom + 2);
            })
            .map((each) => each.textContent);
        });
        expect(outside).toEqual([]);
      } finally {
        await browser.close();
      }
    },
  );
});

describe("a drawing", () => {
  it.each(["mermaid", "svg"])("as %s contains no values, in particular no secrets", async (format) => {
    const { stdout } = await draw(...quickstart, "--format", format);
    for (const text of ["in-clear", "us-east", "npm ci", "DEPLOY_TOKEN", "+15550100"])
      expect(stdout).not.toContain(text);
  });

  it("requires no secrets with --offline", async () => {
    const { code, stdout } = await run(["graph", "--offline", ...quickstart]);
    expect(code).toBe(0);
    expect(stdout).toContain("Project web");
  });

  it("is replaced by diagnostics if the file is invalid", async () => {
    const { code, stdout, stderr } = await draw(
      "-f",
      file("broken.yaml", { projects: { web: { pipelines: { p: {} } } } }),
    );
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("broken.yaml:");
  });

  it("rejects unknown parts", async () => {
    const { code, stderr } = await draw(...quickstart, "--parts", "projects,people");
    expect(code).toBe(1);
    expect(stderr).toContain('"people" is none of projects, pipelines, access');
  });
});
