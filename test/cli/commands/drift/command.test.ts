/** What the command line of drift takes, and what it refuses before anything is read. */
import { describe, expect, it } from "vitest";
import { reportKey } from "../../../../cli/commands/drift/detect.js";
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
    [["--format", "pdf"], "It must be one of table, json, markdown, junit, sarif, html."],
    [["--format", "json="], "A file has to follow the =."],
    [["--added", "some"], "Allowed choices are none, declared, all."],
    [["--format", "json", "--format", "html"], "json and html cannot both go to standard output"],
    [["--webhook", "http://chat.example/x"], "--webhook takes an address that begins with https://"],
  ])("refuses %j", async (argv, message) => {
    const { code, stderr, stdout } = await drift(...argv);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
  });

  it("says what is wrong in the ignore file before it asks for a connection", async () => {
    const file = fileIn(folder, "workspace.yaml", "version: 1\nworkspace: acme\n");
    fileIn(folder, "drift-ignore.yaml", "version: 1\nignore:\n  - { object: groups/QA }\n");
    const { code, stderr } = await drift("-f", file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/drift-ignore\.yaml:3:\d+: is required/);
  });

  it("is explained", async () => {
    const { stdout } = await run(["drift", "--help"]);
    expect(stdout).toMatch(/--fail-on <classes>[^]*default:\s+deleted,changed,added/);
    expect(stdout).toContain("--state-file <file>");
  });
});

describe("the key of fingerprints", () => {
  const open = (PULUMI_CONFIG_PASSPHRASE: string, token: string, workspace = "acme") =>
    ({
      name: "us",
      cli: { cwd: ".", env: { PULUMI_CONFIG_PASSPHRASE } },
      connection: { baseUrl: "https://x.example", workspace, token },
    }) as never;

  it("is that of the passphrase, whoever's token it is; another one for another workspace", () => {
    const { key, lasting } = reportKey(open("pass", "one"));
    expect(lasting).toBe(true);
    expect(reportKey(open("pass", "two")).key).toBe(key);
    expect(reportKey(open("other", "one")).key).not.toBe(key);
    expect(reportKey(open("pass", "one", "umbrella")).key).not.toBe(key);
  });

  it("is that of the token where there is no passphrase, and lasts no longer than a run without either", () => {
    expect(reportKey(open("", "one")).key).not.toBe(reportKey(open("", "two")).key);
    const renewed = open("", (() => Promise.resolve("x")) as never);
    expect(reportKey(renewed)).toMatchObject({ lasting: false });
    expect(reportKey(renewed).key).not.toBe(reportKey(renewed).key);
  });
});
