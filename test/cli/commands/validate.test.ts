/** Tests `validate`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();

/** Validates a text, and shortens its file name to `workspace.yaml` in the messages. */
async function validate(text: string, env: NodeJS.ProcessEnv = {}) {
  const file = fileIn(folder, "workspace.yaml", text);
  const { code, stdout, stderr } = await run(["validate", "-f", file], env);
  return { code, stdout: stdout.replaceAll(`${folder}/`, ""), stderr: stderr.replaceAll(`${folder}/`, "") };
}

describe("workspacectl validate", () => {
  it("counts the objects of a valid file", async () => {
    const argv = ["validate", "-f", "examples/quickstart/workspace.yaml"];
    const { code, stdout, stderr } = await run(argv, {
      WORKSPACE_VAR_DEPLOY_TOKEN: "t",
      WORKSPACE_VAR_SERVER_PASSWORD: "p",
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(
      "examples/quickstart/workspace.yaml is valid for workspace acme: 4 members, 2 permission sets, 3 groups, " +
        "5 group members, 2 projects, 3 project members, 3 pipelines, 11 actions, 5 variables, 3 action orders\n",
    );
  });

  it("prints a JSON report, with the text report on standard error", async () => {
    const file = fileIn(
      folder,
      "workspace.yaml",
      "version: 1\nworkspace: acme\ngroups: { QA: {}, Ops: {} }\n",
    );
    const { stdout, stderr } = await run(["validate", "-f", file, "--json"], {});
    expect(JSON.parse(stdout)).toMatchObject({
      file,
      valid: true,
      workspace: "acme",
      objects: { group: 2 },
      counts: { error: 0, warning: 0, info: 0 },
      problems: [],
    });
    expect(stderr).toContain("is valid for workspace acme");
  });

  it("refuses a secret of a stack's configuration in a name", async () => {
    const shop = join(folder, "shop");
    mkdirSync(shop, { recursive: true });
    const own = fileIn(shop, "workspace.yaml", 'version: 1\ngroups:\n  QA: { name: "${config:team}" }\n');
    fileIn(shop, "Pulumi.yaml", "name: shop\nruntime: nodejs\n");
    fileIn(shop, "Pulumi.eu.yaml", "config: { shop:team: { secure: v1:abc } }\n");
    fileIn(shop, "Pulumi.us.yaml", "config: { shop:team: testers }\n");
    const eu = await run(["validate", "-f", own, "--stack", "eu"], {});
    expect(eu).toMatchObject({ code: 1, stdout: "" });
    expect(eu.stderr).toContain("workspace.yaml:3:15: ${config:team} must not be part of a name");
    expect((await run(["validate", "-f", own, "--stack", "us"], {})).code).toBe(0);
  });

  it("applies the overlay of the stack that the file names, as the other commands without a stack do", async () => {
    const shop = join(folder, "named");
    mkdirSync(shop, { recursive: true });
    const file = fileIn(shop, "workspace.yaml", "version: 1\nstack: eu\ngroups: { QA: {} }\n");
    fileIn(shop, "workspace.eu.yaml", "groups: { QA: { description: In Europe } }\n");
    expect((await run(["render", "-f", file], {})).stdout).toContain("description: In Europe");
    fileIn(shop, "workspace.eu.yaml", "groups: { QA: { descripton: In Europe } }\n");
    fileIn(shop, "workspace.us.yaml", "groups: { QA: { description: In America } }\n");
    for (const command of ["validate", "lint", "render"]) {
      const { code, stderr } = await run([command, "-f", file], {});
      expect({ command, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('workspace.eu.yaml:1:17: unknown property "descripton"') as string,
      });
    }
    expect((await run(["render", "-f", file, "--stack", "us"], {})).stdout).toContain("In America");
    expect((await run(["render", "-f", file], { PULUMI_STACK: "us" })).stdout).toContain("In America");
  });

  it("locates an unknown property, and suggests a known one", async () => {
    const { code, stdout, stderr } = await validate("version: 1\ngroups:\n  QA: { descripton: Testers }\n");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatchInlineSnapshot(`
      "workspace.yaml:3:9: unknown property "descripton". Did you mean "description"?
          3 |   QA: { descripton: Testers }
            |         ^
      1 problem in workspace.yaml; nothing was changed
      "
    `);
  });

  it("locates an invalid value, and suggests a valid one", async () => {
    const { stderr } = await validate(
      "version: 1\nprojects:\n  web:\n    pipelines:\n      deploy: { triggerMode: ON_PUSH, refName: main }\n",
    );
    expect(stderr).toMatchInlineSnapshot(`
      "workspace.yaml:5:30: triggerMode: must be one of MANUAL, SCHEDULED, ON_EVERY_PUSH. Did you mean "ON_EVERY_PUSH"?
          5 |       deploy: { triggerMode: ON_PUSH, refName: main }
            |                              ^
      1 problem in workspace.yaml; nothing was changed
      "
    `);
  });

  it("reports all problems in the order of the file", async () => {
    const { stderr } = await validate(
      "version: 2\ngroups:\n  QA: { members: [bob@example.com] }\nvariables:\n  A: x\n  B: { valeu: x }\n",
    );
    expect(stderr).toMatchInlineSnapshot(`
      "workspace.yaml:1:10: version: must be 1
          1 | version: 2
            |          ^
      workspace.yaml:3:19: no member "bob@example.com" is declared in this file. Declare it under members, with external: true if it is managed elsewhere
          3 |   QA: { members: [bob@example.com] }
            |                   ^
      workspace.yaml:6:8: unknown property "valeu". Did you mean "value"?
          6 |   B: { valeu: x }
            |        ^
      3 problems in workspace.yaml; nothing was changed
      "
    `);
  });

  it("locates an unresolved placeholder, and never shows values", async () => {
    const text = 'version: 1\nvariables:\n  A: { value: "${env:SECRET_A}", encrypted: true }\n';
    expect((await validate(text)).stderr).toMatchInlineSnapshot(`
      "workspace.yaml:3:16: WORKSPACE_VAR_SECRET_A is not set: set this environment variable before you run the command, or add --allow-env SECRET_A to use SECRET_A itself
          3 |   A: { value: "\${env:SECRET_A}", encrypted: true }
            |                ^
      1 problem in workspace.yaml; nothing was changed
      "
    `);
    const wrong = text.replace("encrypted: true", "encrypted: maybe");
    const { stderr } = await validate(wrong, { SECRET_A: "hunter2" });
    expect(stderr).toContain("must be true or false");
    expect(stderr).not.toContain("hunter2");
  });

  it("locates a syntax error", async () => {
    expect((await validate("version: 1\ngroups: {QA: [\n")).stderr).toMatchInlineSnapshot(`
      "workspace.yaml:2:14: this is not closed: a ] is missing
          2 | groups: {QA: [
            |              ^
      1 problem in workspace.yaml; nothing was changed
      "
    `);
    expect((await validate("just words")).stderr).toMatchInlineSnapshot(`
      "workspace.yaml:1:1: a workspace file must be a map that begins with \`version: 1\`: see "workspacectl init"
      1 problem in workspace.yaml; nothing was changed
      "
    `);
    expect((await validate("")).code).toBe(1);
  });

  it("rejects a file of 10 MB before it reads the file", async () => {
    const { code, stderr } = await validate(`version: 1\n# ${"x".repeat(10 * 1024 * 1024)}\n`);
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "workspace.yaml: the file has 10.0 MB, more than the 2.0 MB a workspace file may have: move long strings into files of their own and refer to them with \${file:path}
      "
    `);
  });

  it("does not expand an alias bomb", async () => {
    const levels = "bcdefghij"
      .split("")
      .map((name, index) => `x-${name}: &${name} [${`*${"abcdefghi"[index]},`.repeat(9)}]`);
    const began = Date.now();
    const { code, stderr } = await validate(`version: 1\nx-a: &a [lol, lol]\n${levels.join("\n")}\n`);
    expect(Date.now() - began).toBeLessThan(2_000);
    expect(code).toBe(1);
    expect(stderr).toMatchInlineSnapshot(`
      "workspace.yaml:8:1: aliases expand to more than 300000 parts: write the values themselves, or use fewer nested aliases
          8 | x-g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f,]
            | ^
      1 problem in workspace.yaml; nothing was changed
      "
    `);
  });

  it.each([
    ["beside a mistake", "  A: { value: in-clear, encrypted: true, oops: 1 }"],
    ["by its name", "  API_TOKEN: { oops: 1, value: in-clear }"],
    ["by its form", "  A: { oops: 1, value: https://bot:in-clear@git.example.com/a.git }"],
    ["that is the mistake", "  API_TOKEN: { value: [in-clear] }"],
    ["where the text is no YAML any more", '  API_TOKEN: in-clear: "'],
  ])("masks a secret in a quoted source line: %s", async (_what, line) => {
    const { code, stderr } = await validate(`version: 1\nvariables:\n${line}\n`);
    expect(code).toBe(1);
    expect(stderr).toContain("workspace.yaml:3:");
    expect(stderr).toMatch(/3 \|.*\*\*\*\*/);
    expect(stderr).not.toContain("in-clear");
  });

  it("names the path of a missing file", async () => {
    const { code, stderr } = await run(["validate", "-f", "/nowhere/workspace.yaml"]);
    expect(code).toBe(1);
    expect(stderr.replace(process.cwd(), "<cwd>")).toMatchInlineSnapshot(`
      "/nowhere/workspace.yaml: there is no such file (looked in <cwd>): pass the workspace file with -f FILE, or create one with "workspacectl init"
      "
    `);
  });
});

it("lists what is sent in another form than it is written, and keeps the dollar signs of a shell", async () => {
  const file = fileIn(
    temporaryFolder(),
    "workspace.yaml",
    'version: 1\nworkspace: acme\nvariables:\n  A: "$$${X} $${Y}"\n  B: "$${env:HOME}"\n',
  );
  const { code, stderr } = await run(["validate", "-f", file]);
  expect(code).toBe(0);
  expect(stderr).toBe(`${file}:5: $\${env:HOME} is sent as \${env:HOME}\n`);
});
