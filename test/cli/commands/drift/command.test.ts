/** Tests the options of drift, and what it rejects before it reads anything. */
import { describe, expect, it } from "vitest";
import { reportKey } from "../../../../automation/drift/detect-drift.js";
import { fileIn, run, temporaryFolder } from "../../support.js";

const folder = temporaryFolder();
const env = { WORKSPACE_AUTOMATION_CREDENTIALS: `${folder}/none.json`, PATH: process.env["PATH"] };
const drift = (...argv: string[]) => run(["drift", ...argv], env);

describe("the command line", () => {
  it.each([
    [
      ["--fail-on", "changed,renamed"],
      '"renamed" is none of deleted, changed, added, pending, unverifiable.',
    ],
    [["--format", "pdf"], "It must be one of text, json, markdown, junit, sarif, html, github."],
    [["--format", "json="], "Write the path of a file after the =, such as json=report.json."],
    [["--added", "some"], "Allowed choices are none, declared, all."],
    [
      ["--format", "json", "--format", "html"],
      "the formats json and html cannot both be written to standard output",
    ],
    [["--webhook", "http://chat.example/x"], "use one that begins with https://"],
  ])("rejects %j", async (argv, message) => {
    const { code, stderr, stdout } = await drift(...argv);
    // For programs, the error is the result.
    const isJson = argv.includes("--json") || argv.includes("json");
    expect([code, stdout]).toEqual([1, isJson ? expect.stringContaining('"error"') : ""]);
    expect(stderr).toContain(message);
  });

  it("reports errors of the ignore file before it requires a connection", async () => {
    const file = fileIn(folder, "workspace.yaml", "version: 1\nworkspace: acme\n");
    fileIn(folder, "drift-ignore.yaml", "version: 1\nignore:\n  - { object: groups/QA }\n");
    const { code, stderr } = await drift("-f", file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/drift-ignore\.yaml:3:\d+: ignore\[0\]\.reason: is required/);
  });

  it("is documented in the help", async () => {
    const { stdout } = await run(["drift", "--help"]);
    expect(stdout).toMatch(/--fail-on <classes>[^]*default:\s+deleted,changed,added/);
    expect(stdout).toContain("--state-file <file>");
  });
});

describe("the fingerprint key", () => {
  const open = (PULUMI_CONFIG_PASSPHRASE: string, token: string, workspace = "acme") =>
    ({
      name: "us",
      cli: { cwd: ".", env: { PULUMI_CONFIG_PASSPHRASE } },
      connection: { baseUrl: "https://x.example", workspace, token },
    }) as never;

  it("depends on the passphrase and the workspace, but not on the token", () => {
    const { key, lasting } = reportKey(open("pass", "one"));
    expect(lasting).toBe(true);
    expect(reportKey(open("pass", "two")).key).toBe(key);
    expect(reportKey(open("other", "one")).key).not.toBe(key);
    expect(reportKey(open("pass", "one", "umbrella")).key).not.toBe(key);
  });

  it("depends on the token without a passphrase, and changes with each run without either", () => {
    expect(reportKey(open("", "one")).key).not.toBe(reportKey(open("", "two")).key);
    const renewed = open("", (() => Promise.resolve("x")) as never);
    expect(reportKey(renewed)).toMatchObject({ lasting: false });
    expect(reportKey(renewed).key).not.toBe(reportKey(renewed).key);
  });
});
