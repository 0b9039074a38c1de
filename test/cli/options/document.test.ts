/**
 * Tests the options that determine which text is checked: overlays, readable folders and stand-ins for missing values.
 */
import { mkdirSync } from "node:fs";
import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { formatNextCommand } from "../../../automation/next-command.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const secret = 'version: 1\nvariables: { API_KEY: { value: "${env:API_KEY}", encrypted: true } }\n';

async function validate(text: string, options: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const file = fileIn(folder, "workspace.yaml", text);
  const { code, stdout, stderr } = await run(["validate", "-f", file, ...options], env);
  return { code, said: (stdout + stderr).replaceAll(`${folder}/`, "") };
}

describe("--offline", () => {
  it("uses stand-ins for missing secrets, which are required without it", async () => {
    const missing = await validate(secret);
    expect(missing.code).toBe(1);
    expect(missing.said).toContain("WORKSPACE_VAR_API_KEY is not set");
    expect(await validate(secret, ["--offline"])).toMatchObject({ code: 0 });
    expect(await validate(secret, [], { WORKSPACE_VAR_API_KEY: "x" })).toMatchObject({ code: 0 });
  });

  it("still reports a misspelled placeholder", async () => {
    const { code, said } = await validate(`${secret}groups: { QA: { description: "\${evn:WHERE}" } }\n`, [
      "--offline",
    ]);
    expect(code).toBe(1);
    expect(said).toContain('Did you mean "env"?');
  });

  it("does not report a stand-in as an invalid value", async () => {
    const pipeline =
      'triggerMode: "${env:MODE}", refName: "${config:ref}", delay: "${env:DELAY}", startDate: "${env:START}"';
    const text = `version: 1\nprojects: { web: { pipelines: { a: { ${pipeline} } } } }\n`;
    expect(await validate(text, ["--offline"])).toMatchObject({ code: 0 });
  });
});

describe("overlays", () => {
  const base = "version: 1\nworkspace: acme\nvariables: { REGION: us }\n";

  it("are those of the stack and those given with --overlay", async () => {
    fileIn(folder, "workspace.eu.yaml", "version: 1\nworkspace: acme-eu\n");
    const extra = fileIn(folder, "extra.yaml", "version: 1\ngroups: { QA: {} }\n");
    expect((await validate(base)).said).toBe("workspace.yaml is valid for workspace acme: 1 variable\n");
    expect((await validate(base, ["-s", "eu"])).said).toBe(
      "workspace.yaml is valid for workspace acme-eu: 1 variable\n",
    );
    expect((await validate(base, ["-s", "eu", "--overlay", extra])).said).toBe(
      "workspace.yaml is valid for workspace acme-eu: 1 group, 1 variable\n",
    );
  });

  it("are reported with their own line numbers when they contain errors", async () => {
    const broken = fileIn(folder, "broken.yaml", "version: 1\nvariables:\n  REGION: { valeu: x }\n");
    const { code, said } = await validate(base, ["--overlay", broken]);
    expect(code).toBe(1);
    expect(said).toContain('broken.yaml:3:13: unknown property "valeu". Did you mean "value"?');
  });
});

describe("--allow-path", () => {
  const elsewhere = temporaryFolder();

  it("allows a file to read from a folder outside its own", async () => {
    const shared = `${elsewhere}/shared`;
    mkdirSync(shared);
    const path = relative(folder, fileIn(shared, "text.txt", "hello"));
    const text = `version: 1\nvariables: { A: "\${file:${path}}" }\n`;
    expect((await validate(text)).code).toBe(1);
    expect((await validate(text, ["--allow-path", shared])).code).toBe(0);
  });
});

describe("the command that a hint names", () => {
  const next = (...command: string[]) => formatNextCommand(command, options);
  const options = {
    file: "teams/a b.yaml",
    stack: "eu",
    overlay: ["extra.yaml"],
    allowPath: ["../shared"],
    connection: "eu",
    only: ["groups/*"],
  };

  it("has the options that named the file and the stack", () => {
    const same = "-f 'teams/a b.yaml' --overlay extra.yaml --allow-path ../shared --stack eu --connection eu";
    expect(next("import")).toBe(`workspacectl import ${same}`);
    expect(next("up", "--adopt-after-crash")).toBe(
      `workspacectl up --adopt-after-crash ${same} --only 'groups/*'`,
    );
  });

  it("is short for the file of the folder and its stack", () => {
    expect(formatNextCommand(["up", "--plan", "plan.json"], { file: "workspace.yaml" })).toBe(
      "workspacectl up --plan plan.json",
    );
  });
});
