/** Tests `workspacectl lint` as a user sees it: output, suppressions, severities and exit codes. */
import { describe, expect, it } from "vitest";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();

async function lint(text: string, ...options: string[]) {
  const file = fileIn(folder, "workspace.yaml", text);
  const { code, stdout, stderr } = await run(["lint", "-f", file, ...options], {});
  return { code, stdout: stdout.replaceAll(`${folder}/`, ""), stderr: stderr.replaceAll(`${folder}/`, "") };
}

/** Returns the findings as `line severity code`. */
async function found(text: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await lint(text, "--format", "json", ...options);
  const { problems } = JSON.parse(stdout) as {
    problems: { line: number; severity: string; code: string }[];
  };
  return problems.map(({ line, severity, code }) => `${line} ${severity} ${code}`);
}

const variables = (...lines: string[]) =>
  `version: 1\nvariables:\n${lines.map((line) => `  ${line}\n`).join("")}`;

describe("workspacectl lint", () => {
  it("shows each finding with its code and its line, and a count", async () => {
    const { code, stdout, stderr } = await lint(
      "version: 1\ngroups:\n  QA: {}\nvariables:\n  API_TOKEN: abc\n",
    );
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toMatchInlineSnapshot(`
      "workspace.yaml:5:3: error: API_TOKEN is a secret by its name, and is not encrypted [unencrypted-secret]
          5 |   API_TOKEN: ***
            |   ^
      workspace.yaml:3:3: warning: group "QA" has no members [empty-group]
          3 |   QA: {}
            |   ^
      1 error, 1 warning in workspace.yaml
      "
    `);
  });

  it("omits only notes, however many there are, and shows errors and warnings first", async () => {
    const people = Array.from({ length: 60 }, (_, index) => `  p${index}@example.com: {}\n`).join("");
    const groups = Array.from({ length: 55 }, (_, index) => `  G${index}: {}\n`).join("");
    const secrets = Array.from({ length: 55 }, (_, index) => `  TOKEN_${index}: abc\n`).join("");
    const head = "version: 1\nmembers:\n  ann@example.com: { admin: true }\n";
    const { code, stdout } = await lint(`${head}${people}groups:\n${groups}variables:\n${secrets}`);
    const severities = [...stdout.matchAll(/^workspace\.yaml:\d+:\d+: (\w+):/gm)].map(
      ([, severity]) => severity,
    );
    const expected = [
      ["error", 55],
      ["warning", 55],
      ["info", 50],
    ] as const;
    expect(severities).toEqual(expected.flatMap(([severity, count]) => Array<string>(count).fill(severity)));
    expect(stdout).toMatch(
      /\n\.\.\. and \d+ more notes?\n55 errors, 55 warnings, \d+ notes in workspace\.yaml\n$/,
    );
    expect(code).toBe(1);
  });

  it("reports no problems for a good file", async () => {
    expect(await lint(variables("REGION: us-east"))).toEqual({
      code: 0,
      stdout: "no problems in workspace.yaml\n",
      stderr: "",
    });
  });

  it("requires no secrets, and does not check stand-ins for missing values", async () => {
    const text = variables(
      'KEY: { value: "${env:NOT_SET}", sshKey: true }',
      'A_TOKEN: { value: "${config:a}", encrypted: true }',
    );
    expect(await found(text)).toEqual([]);
  });

  it("checks values from the environment", async () => {
    const file = fileIn(folder, "workspace.yaml", variables('KEY: { value: "${env:MY_KEY}", sshKey: true }'));
    const { stdout } = await run(["lint", "-f", file], { WORKSPACE_VAR_MY_KEY: "no key at all" });
    expect(stdout).toContain("this is not a private key");
    expect(stdout).not.toContain("no key at all");
  });

  it("reports the errors of an invalid file, and does not lint it", async () => {
    const { code, stdout, stderr } = await lint("version: 1\ngroups: { QA: { nam: x } }\n");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('unknown property "nam". Did you mean "name"?');
  });

  it("never prints a secret that it finds", async () => {
    // Is joined here, so that this file does not contain a secret.
    const token = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");
    const text = `${variables(`X: { value: ${token}, encrypted: true }`)}# and an old one: ${token}\n`;
    for (const format of ["json", "github", "sarif"]) {
      const { stdout, stderr } = await lint(text, "--format", format);
      expect(stdout + stderr).not.toContain(token);
    }
    expect(await found(text)).toEqual([
      "3 error known-secret",
      "3 error literal-secret",
      "4 error known-secret",
    ]);
    const shown = await lint(text);
    expect(shown.stdout).not.toContain(token);
  });
});

describe("the packaged examples", () => {
  it("have no findings", async () => {
    const { code, stdout } = await run(["lint", "-f", "examples/quickstart/workspace.yaml"], {});
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "no problems in examples/quickstart/workspace.yaml\n",
    });
  });
});

describe("severities", () => {
  const text = "version: 1\ngroups: { QA: {} }\n";

  it("can be raised, lowered and switched off by code", async () => {
    expect(await found(text)).toEqual(["2 warning empty-group"]);
    expect(await found(text, "-E", "empty-group")).toEqual(["2 error empty-group"]);
    expect(await found(text, "--off", "empty-group")).toEqual([]);
    const secret = variables("A_TOKEN: abc");
    expect(await found(secret, "-W", "unencrypted-secret")).toEqual(["3 warning unencrypted-secret"]);
  });

  it("determine the exit code, which only errors make non-zero", async () => {
    expect((await lint(text)).code).toBe(0);
    expect((await lint(text, "-E", "empty-group")).code).toBe(1);
  });

  it("allow up to a given number of warnings", async () => {
    expect((await lint(text, "--max-warnings", "1")).code).toBe(0);
    const { code, stderr } = await lint(text, "--max-warnings", "0");
    expect(code).toBe(1);
    expect(stderr).toBe("1 warning: more than the 0 of --max-warnings\n");
  });

  it("are rejected for an unknown code, and for a code with two severities", async () => {
    expect((await lint(text, "-E", "emty-group")).stderr).toBe(
      'error: there is no lint rule emty-group. Did you mean "empty-group"?\n',
    );
    expect((await lint(text, "-E", "empty-group", "--off", "empty-group")).stderr).toBe(
      "error: the rule empty-group is set to error and to off: use only one of the two\n",
    );
  });

  it("are listed with the rules as configured", async () => {
    const { stdout } = await lint(text, "--list-rules", "--format", "json", "-E", "empty-group");
    const rules = JSON.parse(stdout) as { code: string; severity: string }[];
    expect(rules.find(({ code }) => code === "empty-group")).toMatchObject({ severity: "error" });
    expect((await lint(text, "--list-rules")).stdout).toMatch(/^CODE +SEVERITY +WHAT IT FINDS\n/);
  });
});

describe("suppression comments", () => {
  it("apply on the line itself or above it", async () => {
    expect(await found(variables("A_TOKEN: abc # lint-ignore: unencrypted-secret -- made up"))).toEqual([]);
    expect(await found(variables("# lint-ignore: unencrypted-secret -- made up", "A_TOKEN: abc"))).toEqual(
      [],
    );
    expect(
      await found(
        variables("# lint-ignore: unencrypted-secret -- made up", "# more words", "", "A_TOKEN: abc"),
      ),
    ).toEqual([]);
  });

  it("suppress only the named codes on their own line", async () => {
    const other = variables("# lint-ignore: unencrypted-secret -- made up", "A_TOKEN: abc", "B_TOKEN: abc");
    expect(await found(other)).toEqual(["5 error unencrypted-secret"]);
    const both = variables(
      "REGION: eu",
      "# lint-ignore: unencrypted-secret, names-alike -- made up",
      "A_TOKEN: abc",
      "a_token: abc # lint-ignore: unencrypted-secret names-alike -- made up",
    );
    expect(await found(both)).toEqual(["4 warning unused-ignore"]);
  });

  it("require a reason, a known code and a finding to suppress", async () => {
    expect(await found(variables("A_TOKEN: abc # lint-ignore: unencrypted-secret"))).toEqual([
      "3 warning ignore-without-reason",
    ]);
    expect(await found(variables("A_TOKEN: abc # lint-ignore: unencripted-secret -- x"))).toEqual([
      "3 error unencrypted-secret",
      "3 warning ignore-of-unknown-code",
    ]);
    expect(await found(variables("REGION: eu # lint-ignore -- x"))).toEqual([
      "3 warning ignore-of-unknown-code",
    ]);
    expect(await found(variables("REGION: eu # lint-ignore: unencrypted-secret -- x"))).toEqual([
      "3 warning unused-ignore",
    ]);
    const { stdout } = await lint(variables("A_TOKEN: abc # lint-ignore: unencripted-secret -- x"));
    expect(stdout).toContain("there is no code unencripted-secret. Did you mean unencrypted-secret?");
  });

  it("of a rule that is switched off are not reported as unused", async () => {
    const text = variables("REGION: eu # lint-ignore: unencrypted-secret -- x");
    expect(await found(text, "--off", "unencrypted-secret")).toEqual([]);
  });

  it("are not recognized inside a text value", async () => {
    const text = variables("A: |", "  # lint-ignore: nonsense", 'B: "# lint-ignore: nonsense"', "C: x#y");
    expect(await found(text)).toEqual([]);
  });

  it("are located correctly after any kind of text", async () => {
    const text = `%YAML 1.2\n---\nversion: 1\nvariables:\n  A: >-\n    folded\n    text\n  B: [x]\n`.replace(
      "[x]",
      '"y"',
    );
    expect(await found(`${text}  A_TOKEN: abc # lint-ignore: unencrypted-secret -- made up\n`)).toEqual([]);
  });
});

describe("files with includes, templates and overlays", () => {
  it("have findings reported in the included file", async () => {
    fileIn(folder, "groups.yaml", "version: 1\ngroups:\n  QA: {}\n");
    const { stdout } = await lint("version: 1\ninclude: [groups.yaml]\n");
    expect(stdout).toContain(
      'groups.yaml:3:3: warning: group "QA" has no members [empty-group]\n    3 |   QA: {}\n',
    );
  });

  it("have one finding for a template, however often it is used", async () => {
    const text = `version: 1
templates:
  test:
    type: Action
    entries:
      - { name: Test, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: latest, executeCommands: [npm test] }
projects:
  web:
    pipelines:
      a: { triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [{ template: test }] }
      b: { triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [{ template: test }] }
`;
    expect(await found(text)).toEqual(["6 warning latest-image"]);
  });

  it("are linted with the given overlays", async () => {
    const overlay = fileIn(folder, "other.yaml", "version: 1\nvariables:\n  B_TOKEN: abc\n");
    expect(await found(variables("A: x"), "--overlay", overlay)).toEqual(["3 error unencrypted-secret"]);
  });
});
