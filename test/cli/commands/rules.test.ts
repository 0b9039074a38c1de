/** Tests lint rules of one's own: expressions, and their errors. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runWithinTime } from "../../../workspace-file/lint/custom/time-limit.js";
import { fileIn, run, temporaryFolder } from "../support.js";

const folder = temporaryFolder();
const rules = join(folder, "rules");

beforeEach(() => {
  rmSync(rules, { recursive: true, force: true });
  mkdirSync(rules);
});

const short = (text: string) => text.replaceAll(`${folder}/`, "");

async function lint(document: string, ...options: string[]) {
  const file = fileIn(folder, "workspace.yaml", document);
  const { code, stdout, stderr } = await run(["lint", "-f", file, "--rules", rules, ...options], {
    WORKSPACE_VAR_KNOWN_TOKEN: "the-value-of-a-secret",
  });
  return { code, stdout: short(stdout), stderr: short(stderr) };
}

/** Returns the findings as `line severity code: message`. */
async function found(document: string, ...options: string[]): Promise<string[]> {
  const { stdout } = await lint(document, "--format", "json", ...options);
  const { problems } = JSON.parse(stdout) as {
    problems: { line: number; severity: string; code: string; message: string }[];
  };
  return problems.map(({ line, severity, code, message }) => `${line} ${severity} ${code}: ${message}`);
}

const yamlRule = (lines: string, code = "acme/x", name = "own.yaml") =>
  fileIn(
    rules,
    name,
    `version: 1\nrules:\n  ${code}:\n    description: It is wrong.\n    remedy: Mend it.\n${lines.replace(/^/gm, "    ")}\n`,
  );
const groups =
  "version: 1\nmembers: { ann@example.com: { admin: true } }\ngroups:\n  QA: { members: [ann@example.com] }\n";

describe("a rule with an expression", () => {
  it("is reported like a built-in rule: severity, line, code, exit code and description", async () => {
    yamlRule(
      'severity: error\ntype: Group\nrequire: object.description != null\nmessageExpression: object.name + " is not described"',
    );
    expect(await found(groups)).toEqual(["4 error acme/x: QA is not described"]);
    expect(await found(groups, "-W", "acme/x")).toEqual(["4 warning acme/x: QA is not described"]);
    expect(await found(groups, "--off", "acme/x")).toEqual([]);
    expect((await lint(groups)).code).toBe(1);
    expect((await lint(groups)).stdout).toContain("4:3: error: QA is not described [acme/x]\n    4 |   QA:");
    const sarif = JSON.parse((await lint(groups, "--format", "sarif")).stdout) as {
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string }[] }[];
    };
    expect(sarif.runs[0]?.results).toMatchObject([{ ruleId: "acme/x", level: "error" }]);
    expect(sarif.runs[0]?.tool.driver.rules.at(-1)).toMatchObject({
      id: "acme/x",
      help: { text: "Mend it." },
    });
    expect((await lint(groups, "--list-rules")).stdout).toMatch(/^acme\/x +error +It is wrong\.$/m);
  });

  it("sees defaults, lists, null, numbers, the parent, the project and the workspace", async () => {
    yamlRule(
      "type: Action\nrequire: >-\n  object.executeCommands == [] && object.timeout == 30 && object.login == null && object.ignoreErrors != true &&\n" +
        '  parent.name == "p" && project.name == "web" && workspace.projects.size() == 1 && workspace.workspace == "acme" &&\n' +
        '  object.variables[0].value == "1"',
    );
    const document =
      "version: 1\nworkspace: acme\nprojects:\n  web:\n    pipelines:\n      p:\n        triggerMode: MANUAL\n        refType: BRANCH\n        refName: main\n" +
      "        actions:\n          - { name: H, type: HTTP, triggerTime: ON_EVERY_EXECUTION, notificationUrl: https://a.example.com, timeout: 30, variables: { X: '1' } }\n";
    expect(await found(document)).toEqual([]);
    expect(await found(document.replace("timeout: 30", "timeout: 31"))).toEqual([
      "11 warning acme/x: It is wrong.",
    ]);
  });

  it("is about members of an exclusive group like about others", async () => {
    yamlRule('type: GroupMember\nrequire: object.member != "ann@example.com"');
    expect(await found(groups)).toEqual(["4 warning acme/x: It is wrong."]);
    const exclusive = groups.replace("members: [ann", "exclusive: true, members: [ann");
    expect(await found(exclusive)).toEqual(["4 warning acme/x: It is wrong."]);
  });

  it("does not see objects that are managed elsewhere, and can ask for them", async () => {
    yamlRule("type: Group\nrequire: object.description != null");
    expect(await found("version: 1\ngroups: { QA: { external: true } }\n")).toEqual([]);
    yamlRule('require: workspace.groups.exists(g, g.name == "QA" && g.external)');
    expect(await found("version: 1\ngroups: { QA: { external: true } }\n")).toEqual([]);
  });

  it("fails with its name, the object and the reason, in every format", async () => {
    yamlRule("type: Group\nrequire: object.descripton != null");
    const { code, stdout, stderr } = await lint(groups);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "rules/own.yaml:7:14: the rule acme/x cannot be evaluated for groups/QA: No such key: descripton. Ask with has()",
    );
    const { stdout: json } = await lint(groups, "--format", "json");
    expect(JSON.parse(json)).toMatchObject({ valid: false, problems: [{ code: "lint-rule", line: 7 }] });
  });

  it.each([
    ["require: object.name ==", '"require" is not a valid expression: Unexpected token: EOF'],
    ["require: objects.name == 1", '"require" is not a valid expression: Unknown variable: objects'],
    [
      "require: size(workspace.groups)",
      '"require" is not a valid expression: its type is int, and must be bool',
    ],
    ["require: 'true'\nmessage: a\nmessageExpression: '\"b\"'", '"message" excludes "messageExpression"'],
    ["require: 'true'\ntype: Grup", 'Did you mean "Group"?'],
    ["requires: 'true'", 'Did you mean "require"?'],
    [
      "require: 'false'\nat: descripton\ntype: Group",
      'there is no argument "descripton". Did you mean "description"?',
    ],
    ["require: object.name\ntype: Group", "its value is a string, and must be a bool"],
  ])("is refused with the location and the reason: %s", async (lines, reason) => {
    yamlRule(lines);
    const { code, stdout, stderr } = await lint(groups);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^rules\/own\.yaml:\d+:\d+: /);
    expect(stderr).toContain(reason);
  });

  it("reaches nothing but the document", async () => {
    for (const path of ["constructor", "__proto__", "name.constructor", "toString"]) {
      yamlRule(`type: Group\nrequire: object.${path} != null`);
      expect((await lint(groups)).stderr).toContain("No such key");
    }
  });

  it("is ended when it takes too long", { timeout: 600_000 }, async () => {
    yamlRule(
      'type: Group\nrequire: \'"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("^(a+)+$")\'',
    );
    const { code, stderr } = await lint(groups);
    expect(code).toBe(1);
    expect(stderr).toContain("the rule acme/x cannot be evaluated for groups/QA: takes more than 5 seconds");
  });
});

describe("the code of a rule", () => {
  it("has a prefix, so that it is never that of a built-in rule", async () => {
    yamlRule("require: 'true'", "empty-group");
    expect((await lint(groups)).stderr).toContain(
      "rules/own.yaml:3:3: must be a code with a prefix of your own",
    );
  });

  it("is unique over all files", async () => {
    yamlRule("require: 'true'", "acme/y");
    yamlRule("require: 'true'", "acme/y", "second.yaml");
    expect((await lint(groups)).stderr).toMatch(
      /acme\/y is declared twice: give this rule, or the one in rules\/own\.yaml/,
    );
  });

  it("is named to ignore a finding, with a reason and the last day", async () => {
    yamlRule("type: Group\nrequire: object.description != null");
    const ignoring = (comment: string) => groups.replace("  QA", `  # lint-ignore: ${comment}\n  QA`);
    expect(await found(ignoring("acme/x -- later"))).toEqual([]);
    expect(await found(ignoring("acme/x expires 2099-12-31 -- later"))).toEqual([]);
    expect(await found(ignoring("acme/x expires 2020-12-31 -- later"))).toEqual([
      "4 warning ignore-expired: this expired on 2020-12-31: remove the cause, or extend the date",
      "5 warning acme/x: It is wrong.",
    ]);
    expect(await found(ignoring("acme/x expires soon -- later"))).toEqual([
      '4 warning ignore-expired: "soon" is not a date: write it like 2026-12-31',
      "5 warning acme/x: It is wrong.",
    ]);
    expect(await found(ignoring("acme/z -- later"))).toEqual([
      "4 warning ignore-of-unknown-code: there is no code acme/z. Did you mean acme/x?",
      "5 warning acme/x: It is wrong.",
    ]);
    // Without the rules, nobody knows whether the code exists.
    const file = fileIn(folder, "workspace.yaml", ignoring("acme/x -- later"));
    expect((await run(["lint", "-f", file])).stdout).toContain("no problems");
  });
});

it("work is ended after the time limit, whatever it does", () => {
  const endless = () => {
    for (;;);
  };
  expect(() => runWithinTime(50, endless)).toThrow("takes more than 0.05 seconds");
  expect(runWithinTime(1000, () => 3)).toBe(3);
  expect(() =>
    runWithinTime(1000, () => {
      throw new TypeError("its own error");
    }),
  ).toThrow(TypeError);
});

describe("the rules of a folder", () => {
  it("are refused together with a module, which would have been run before", async () => {
    yamlRule("require: 'true'");
    fileIn(rules, "own.ts", "globalThis.plantedRuleRan = true; export default [];");
    const { code, stdout, stderr } = await lint(groups);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      "own.ts is not a lint rule file: write the rules in a .yaml file, with conditions in CEL",
    );
    expect("plantedRuleRan" in globalThis).toBe(false);
  });

  it("may be missing only with an error", async () => {
    expect((await lint(groups)).stderr).toMatch(/rules contains no lint rules/);
    const file = fileIn(folder, "workspace.yaml", groups);
    const { code, stderr } = await run(["lint", "-f", file, "--rules", join(folder, "none")]);
    expect({ code, stderr: short(stderr) }).toEqual({
      code: 1,
      stderr: "error: there is no file or folder none with lint rules: correct the path after --rules\n",
    });
  });
});

describe("a secret in the document", () => {
  it("is hidden in every item of a list that a rule calls secret", async () => {
    yamlRule(
      "type: Action\nrequire: '!object.executeCommands.exists(c, c.contains(\"river\"))'\nat: executeCommands\nsecret: true",
    );
    const document =
      "version: 1\nprojects:\n  web:\n    pipelines:\n      p:\n        triggerMode: MANUAL\n        refType: BRANCH\n        refName: main\n        actions:\n" +
      '          - name: B\n            type: BUILD\n            triggerTime: ON_EVERY_EXECUTION\n            containerImageName: node\n            containerImageTag: "22"\n' +
      "            executeCommands: [ls, login blue-river]\n";
    const { stdout } = await lint(document);
    expect(stdout).toContain("workspace.yaml:15:30: warning: It is wrong. [acme/x]");
    expect(stdout).toContain("executeCommands: [**, ****************]");
    for (const format of ["json", "sarif", "markdown", "html"])
      expect((await lint(document, "--format", format)).stdout).not.toContain("blue-river");
  });

  it("is a placeholder for a rule, and masked in its message", async () => {
    yamlRule('require: "false"\nmessageExpression: workspace.variables.map(v, v.value).join(" ")');
    const document =
      'version: 1\nworkspace: acme\nvariables:\n  A_TOKEN: { value: "${env:KNOWN_TOKEN}", encrypted: true }\n  B: "${secret:env:KNOWN_TOKEN}"\n  C: { value: blue-river-42, encrypted: true }\n  D: "${env:MISSING}"\n';
    const { stdout } = await lint(document, "--off", "literal-secret");
    expect(stdout).toContain("${env:KNOWN_TOKEN}");
    expect(stdout).toContain("${env:MISSING}");
    expect(stdout).not.toMatch(/the-value-of|blue-river/);
  });
});
