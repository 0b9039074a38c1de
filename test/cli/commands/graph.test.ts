/** Tests `graph`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { JSDOM } from "jsdom";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
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

  it("draws members in exclusive lists like members of their own", async () => {
    const [ann, bob, cleo] = ["ann@example.com", "bob@example.com", "cleo@example.com"];
    const members = { [ann]: { admin: true }, [bob]: {}, [cleo]: { external: true } };
    const permissionSets = {
      devs: { description: "Write", repositoryAccessLevel: "READ_WRITE", pipelineAccessLevel: "RUN_ONLY" },
      guests: { external: true },
    };
    const people = { [ann]: { permissionSet: "devs" }, [cleo]: { permissionSet: "guests" } };
    const declare = (exclusive: object) => ({
      ...{ members, permissionSets },
      groups: { QA: { ...exclusive, members: [bob, cleo] } },
      projects: { web: { displayName: "Web", ...exclusive, members: people } },
    });
    const separate = file("separate.yaml", declare({}));
    const exclusive = file("exclusive.yaml", declare({ exclusive: true }));
    const { stdout, stderr } = await draw("-f", exclusive);
    expect(stderr).toBe("");
    await parse(stdout);
    expect(stdout).toContain("m1 --- g0");
    expect(stdout).toContain('m0 --> |"devs<br/>repository: read write, pipelines: run only"| p0');
    expect(stdout).toContain('--> |"guests"| p0');
    expect(stdout).toBe((await draw("-f", separate)).stdout);
    const one = (path: string) => draw("-f", path, "--project", "web");
    expect((await one(exclusive)).stdout).toBe((await one(separate)).stdout);
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
    expect(stderr).toContain('project "wep" is not declared: choose one of web, api');
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
    expect(stderr).toMatch(/this drawing has 600 lines between its parts .* draw less with --parts/);
  });
});

describe("a drawing", () => {
  it("contains no values, in particular no secrets", async () => {
    const { stdout } = await draw(...quickstart);
    for (const text of ["in-clear", "us-east", "npm ci", "DEPLOY_TOKEN", "+15550100"])
      expect(stdout).not.toContain(text);
  });

  it("is written to a file, unless that is to be an image", async () => {
    const path = join(folder, "workspace.mmd");
    const { code, stdout, stderr } = await draw(...quickstart, "-o", path);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: `Written: ${path}\n` });
    expect(readFileSync(path, "utf8")).toMatch(/^flowchart LR\n/);
    expect(await draw(...quickstart, "-o", join(folder, "new", "folder", "a.mmd"))).toMatchObject({
      code: 0,
    });
    const nowhere = await draw(...quickstart, "-o", join(path, "workspace.mmd"));
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toContain("workspace.mmd cannot be written");
    const image = await draw(...quickstart, "-o", "workspace.svg");
    expect(image.code).toBe(1);
    expect(image.stderr).toContain(
      "graph writes Mermaid text, not the image workspace.svg: use a file name such as graph.mmd",
    );
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
