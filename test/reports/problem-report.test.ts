/** Tests the report formats for diagnostics of a workspace file: text, JSON, GitHub annotations and SARIF. */
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { problemCodes } from "../../resources/definition/problem-codes.js";
import { fileIn, run, temporaryFolder } from "../cli/support.js";

const folder = temporaryFolder();
const broken = "version: 1\ngroups:\n  QA: { descripton: Testers }\n  Ops: { description: 7 }\n";

/** Checks a text, and removes the folder from the file names in the output. */
async function check(text: string, argv: readonly string[], { name = "workspace.yaml", env = {} } = {}) {
  const file = fileIn(folder, name, text);
  const [command = "validate", ...options] = argv;
  const ran = await run([command, "-f", file, ...options], { GITHUB_WORKSPACE: folder, ...env });
  return {
    ...ran,
    stdout: ran.stdout.replaceAll(`${folder}/`, ""),
    stderr: ran.stderr.replaceAll(`${folder}/`, ""),
  };
}

describe("--format json", () => {
  it("prints one value to standard output, and the text report to standard error", async () => {
    const { code, stdout, stderr } = await check(broken, ["validate", "--format", "json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: "workspace.yaml",
      valid: false,
      counts: { error: 2, warning: 0, info: 0 },
      problems: [
        {
          code: "unknown-property",
          severity: "error",
          message: 'unknown property "descripton". Did you mean "description"?',
          file: "workspace.yaml",
          line: 3,
          column: 9,
        },
        {
          code: "wrong-type",
          severity: "error",
          message: "description: must be a string: write it in quotes",
          file: "workspace.yaml",
          line: 4,
          column: 23,
        },
      ],
    });
    expect(stderr).toContain("2 problems in workspace.yaml; nothing was changed");
  });

  it("is the same as --json", async () => {
    const long = await check(broken, ["validate", "--format", "json"]);
    expect(await check(broken, ["validate", "--json"])).toEqual(long);
  });

  it("cannot be combined with another format", async () => {
    const { code, stdout, stderr } = await check(broken, ["validate", "--json", "--format", "sarif"]);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      { error: expect.objectContaining({ code: "usage" }) as unknown },
    ]);
    expect(stderr).toContain("cannot be used with option '--format");
  });

  it("contains every diagnostic, although the text report shows only the first 50", async () => {
    const groups = Array.from({ length: 60 }, (_, index) => `  G${index}: { nme: x }\n`).join("");
    const { stdout, stderr } = await check(`version: 1\ngroups:\n${groups}`, [
      "validate",
      "--format",
      "json",
    ]);
    const told = JSON.parse(stdout) as { problems: { line: number }[]; counts: { error: number } };
    expect(told.problems.map(({ line }) => line)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 3),
    );
    expect(told.counts.error).toBe(60);
    expect(stderr.match(/unknown property/g)).toHaveLength(50);
    expect(stderr).toContain("... and 10 more\n60 problems in workspace.yaml");
  });
});

describe("--format github", () => {
  it("annotates the changed lines, with paths from the root of the checkout", async () => {
    const { code, stdout } = await check(broken, ["validate", "--format", "github"]);
    expect(code).toBe(1);
    expect(stdout).toBe(
      '::error file=workspace.yaml,line=3,col=9,title=unknown-property::unknown property "descripton". Did you mean "description"?\n' +
        "::error file=workspace.yaml,line=4,col=23,title=wrong-type::description: must be a string: write it in quotes\n",
    );
  });

  it("escapes characters that would end a property or the message", async () => {
    const text = 'version: 1\nvariables: { A: { value: x, "100%\\r\\n::debug::": 1 } }\n';
    const { stdout } = await check(text, ["validate", "--format", "github"], { name: "a,b:c%.yaml" });
    expect(stdout).toBe(
      '::error file=a%2Cb%3Ac%25.yaml,line=2,col=29,title=unknown-property::unknown property "100%25\\u000d%0A::debug::": remove it, or correct its name\n',
    );
  });

  it("distinguishes severities", async () => {
    const text =
      "version: 1\nvariables: { REGION: eu, Region: us }\nmembers: { ann@example.com: { admin: true }, bob@example.com: {} }\n";
    const { code, stdout } = await check(text, ["lint", "--format", "github"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      '::warning file=workspace.yaml,line=2,col=26,title=names-alike::"Region" differs from "REGION" only by upper and lower case\n' +
        "::notice file=workspace.yaml,line=3,col=46,title=unused-member::bob@example.com is in no group and no project\n",
    );
  });

  it("names files from the root of their repository, also where a job has checked out several", async () => {
    mkdirSync(join(folder, "change/.git"), { recursive: true });
    mkdirSync(join(folder, "change/teams"), { recursive: true });
    mkdirSync(join(folder, "no-repository"), { recursive: true });
    for (const [name, path] of [
      ["change/teams/workspace.yaml", "teams/workspace.yaml"],
      ["no-repository/workspace.yaml", "no-repository/workspace.yaml"],
    ] as const) {
      const { stdout } = await check(broken, ["validate", "--format", "github"], { name });
      expect(stdout).toContain(`::error file=${path},`);
    }
  });

  it("prints nothing for a file without diagnostics", async () => {
    const { code, stdout, stderr } = await check("version: 1\n", ["validate", "--format", "github"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe("workspace.yaml is valid: it declares nothing\n");
  });
});

describe("--format sarif", () => {
  /**
   * The schema published by OASIS, except that one invalid regular expression (of `language`, which is not written) is
   * fixed below.
   */
  const schema = readFileSync(join(import.meta.dirname, "../fixtures/sarif-schema-2.1.0.json"), "utf8");
  const valid = new Ajv({ strict: false, validateFormats: false }).compile(
    JSON.parse(schema.replaceAll("]?$", "$")) as object,
  );

  it.each([
    ["problems of a file", broken, ["validate", "--format", "sarif"]],
    ["no problems", "version: 1\n", ["validate", "--format", "sarif"]],
    ["findings of lint", "version: 1\ngroups: { QA: {} }\n", ["lint", "--format", "sarif"]],
  ])("follows the schema of SARIF 2.1.0: %s", async (_, text, argv) => {
    const { stdout } = await check(text, argv);
    const log: unknown = JSON.parse(stdout);
    expect(valid(log), JSON.stringify(valid.errors)).toBe(true);
  });

  it("is checked with a schema that rejects an invalid log", () => {
    expect(valid({ version: "2.1.0", runs: [{ tool: {} }] })).toBe(false);
  });

  it("uses paths relative to the repository, and explains each code once", async () => {
    const { stdout } = await check("version: 1\ngroups: { QA: {} }\n", ["lint", "--format", "sarif"], {
      name: "my file.yaml",
    });
    const { runs } = JSON.parse(stdout) as {
      runs: [{ results: object[]; tool: { driver: { rules: { id: string; help: { text: string } }[] } } }];
    };
    const { rules } = runs[0].tool.driver;
    const index = rules.findIndex(({ id }) => id === "empty-group");
    expect(rules[index]?.help.text).toContain("Declare its members");
    expect(runs[0].results).toEqual([
      {
        ruleId: "empty-group",
        ruleIndex: index,
        level: "warning",
        message: { text: 'group "QA" has no members' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "my%20file.yaml" },
              region: { startLine: 2, startColumn: 11 },
            },
          },
        ],
      },
    ]);
  });
});

describe("diagnostic codes", () => {
  it("are kebab-case, and documented", () => {
    const docs = readFileSync(join(import.meta.dirname, "../../docs/lint.md"), "utf8");
    for (const code of Object.keys(problemCodes)) {
      expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(docs).toContain(`| \`${code}\` |`);
    }
  });

  it("are reported in the chosen format even if the file does not exist", async () => {
    const { code, stdout } = await run(["validate", "-f", join(folder, "nowhere.yaml"), "--format", "json"]);
    expect(code).toBe(1);
    const { problems } = JSON.parse(stdout) as { problems: { code: string; file: string }[] };
    expect(problems.map((problem) => [problem.code, basename(problem.file)])).toEqual([
      ["unreadable", "nowhere.yaml"],
    ]);
  });
});
