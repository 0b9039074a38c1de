/** Tests cli/program.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { fileIn, run, temporaryFolder } from "./support.js";

const commands = [
  "validate",
  "init",
  "fmt",
  "graph",
  "schema",
  "preview",
  "up",
  "refresh",
  "destroy",
  "login",
  "logout",
  "whoami",
  "run",
  "executions",
  "sandbox",
  "oauth-client",
  "emulator",
  "doctor",
  "demo",
];

describe("workspacectl", () => {
  it("lists its commands with an example and the exit codes", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
    expect(stdout).toContain("Example:\n  workspacectl up -f workspace.yaml");
    expect(stdout).toContain(
      "Exit codes: 0 success, 1 error, 2 changes (preview --exit-code), 3 watched execution did not succeed, 4 declined, 7 drift or differences, 10 incomplete, 130 interrupted.",
    );
  });

  it("lists every command in a group", async () => {
    const { stdout } = await run(["--help"]);
    for (const group of ["Getting started:", "Common commands:", "Service:", "Stacks and tools:"])
      expect(stdout).toContain(`\n${group}\n`);
    expect(stdout).not.toMatch(/^(Commands|Further commands):$/m);
  });

  it.each([
    [["plan", "--help"], "Usage: workspacectl preview|plan"],
    [["apply", "--help"], "Usage: workspacectl up|apply"],
    [["help", "up"], "Usage: workspacectl up|apply"],
    [["help"], "Usage: workspacectl [options]"],
  ])("accepts %j, a command name of other tools", async (argv, usage) => {
    const { code, stdout } = await run(argv);
    expect(code).toBe(0);
    expect(stdout).toContain(usage);
  });

  it("shows only the options of drift accept in its help", async () => {
    const { stdout } = await run(["drift", "accept", "--help"]);
    expect(stdout).toContain("--stack <name>");
    const [options = "", global = ""] = stdout.split("Global Options:");
    expect(options).toContain("--stack <name>");
    expect(global).not.toContain("--stack");
    for (const refused of ["--webhook", "--fail-on", "--state-file", "--output"])
      expect(stdout).not.toContain(refused);
  });

  it("accepts the former names of options, but shows only the current ones", async () => {
    const { stdout } = await run(["preview", "--help"]);
    expect(stdout).toContain("--save-plan <file>");
    expect(stdout).toContain("Guards and requests:");
    for (const former of ["--out ", "--diff"]) expect(stdout).not.toContain(former);
    const { stderr } = await run(["replicate", "--from", "a", "--to", "b", "--watch-list", "workflows"]);
    expect(stderr).not.toContain("unknown option");
  });

  it("suggests a sub-command for a mistyped one", async () => {
    const { code, stderr } = await run(["drift", "accpet"]);
    expect(code).toBe(1);
    expect(stderr).toContain("unknown command 'accpet'");
    expect(stderr).toContain("Did you mean accept?");
  });

  it("lists drift among the common commands", async () => {
    const { stdout } = await run(["--help"]);
    expect(stdout.split("Common commands:")[1]?.split(/^\S.*:$/m)[0]).toContain("  drift");
  });

  it("prints an error as JSON that follows the published schema, next to the text", async () => {
    const schema = JSON.parse(readFileSync("schema/error-report.schema.json", "utf8")) as object;
    const validate = new Ajv2020({ strict: false }).compile(schema);
    const folder = temporaryFolder();
    const file = fileIn(
      folder,
      "workspace.yaml",
      "version: 1\nworkspace: acme\ngroups: { QA: { descripton: x } }\n",
    );
    const errors = await Promise.all(
      [
        ["preview", "--json", "--nosuch"],
        ["drift", "--format", "json", "-f", join(folder, "none.yaml")],
        ["render", "-f", file, "--format", "json"],
        ["preview", "--json", "-f", file],
      ].map(async (argv) => {
        const { code, stdout, stderr } = await run(argv);
        expect([argv, code]).toEqual([argv, 1]);
        expect(stderr).not.toBe("");
        const report = JSON.parse(stdout) as { error: { code: string; location?: { line: number } } };
        validate(report);
        expect(validate.errors ?? []).toEqual([]);
        return report.error;
      }),
    );
    expect(errors[0]?.code).toBe("usage");
    expect(errors[3]?.location?.line).toBe(3);
  });

  it("replaces each report of an earlier run by the reason of a failure", async () => {
    const folder = temporaryFolder();
    const [md, json] = [fileIn(folder, "preview.md", "## old"), fileIn(folder, "preview.json", "{}")];
    const others = ["junit", "sarif", "html", "github"].map((form) => [form, fileIn(folder, form, "old")]);
    const formats = [["markdown", md], ["json", json], ...others].flatMap(([form, file]) => {
      return ["--format", `${form}=${file}`];
    });
    const { code, stdout } = await run(["drift", "-f", join(folder, "none.yaml"), ...formats]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(readFileSync(md, "utf8")).toMatch(/^## 🔴 `workspacectl drift` failed\n\n~~~text\n[^]*none\.yaml/);
    expect(readFileSync(json, "utf8")).toContain('"error"');
    for (const [, file = ""] of others) expect(readFileSync(file, "utf8")).toMatch(/none\.yaml/);
    expect(readFileSync(join(folder, "junit"), "utf8")).toMatch(/tests="1" failures="1"/);
  });

  it.each(commands)("shows an example of %s", async (command) => {
    const { code, stdout } = await run([command, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`Example:\n  workspacectl ${command}`);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    for (const argv of [["--version"], ["-v"], ["version"]])
      expect(await run(argv)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("suggests the command for a mistyped one", async () => {
    const { code, stderr } = await run(["destory"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Did you mean destroy?");
  });

  it("shows its help when no command is given", async () => {
    const { code, stderr } = await run([]);
    expect(code).toBe(1);
    expect(stderr).toContain("Usage: workspacectl");
  });

  it.each([
    [["up", "--bogus"], "unknown option '--bogus'"],
    [["emulator", "--port", "x"], "must be a whole number from 0 to 65535"],
    [["emulator", "--port", "70000"], "must be a whole number from 0 to 65535"],
    [["emulator", "--rate-limit", "0"], "must be a whole number, at least 1"],
  ])("rejects %j", async (argv, message) => {
    const { code, stderr, stdout } = await run(argv);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });

  it("prints the JSON Schema of workspace files", async () => {
    const { code, stdout } = await run(["schema"]);
    expect(code).toBe(0);
    expect(stdout).toBe(readFileSync("schema/workspace.schema.json", "utf8"));
  });

  it.each(["up", "destroy"])("requires --yes for %s without a terminal", async (command) => {
    const { code, stderr } = await run([command, "-f", "examples/quickstart/workspace.yaml"]);
    expect(code).toBe(1);
    expect(stderr).toContain("there is no terminal to ask for confirmation: add --yes");
  });

  it.each(["unlock", "rm dev", "repair"])(
    "says that stack %s changes the stack, not the workspace",
    async (command) => {
      const { code, stderr } = await run(["stack", ...command.split(" ")]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        "changes the stack and there is no terminal to ask for confirmation: add --yes",
      );
      expect(stderr).not.toContain("preview");
    },
  );

  it("shows the stack trace of an error only on request", async () => {
    const argv = ["validate", "-f", "/nowhere/workspace.yaml"];
    expect((await run(argv)).stderr).not.toContain("    at ");
    expect((await run(argv, { WORKSPACECTL_DEBUG: "1" })).stderr).toContain("    at ");
  });
});
