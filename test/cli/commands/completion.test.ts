/** Tests the completion of the command line. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Person } from "../service-support.js";
import { temporaryFolder } from "../support.js";

const ann = new Person();

/** Returns the completions that a shell offers after the given words. */
async function offered(...words: string[]): Promise<string[]> {
  const { code, stdout } = await ann.types(["complete", "--", ...words]);
  expect(code).toBe(0);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

describe("completion", () => {
  it.each(["bash", "zsh", "fish"])("prints a script for %s", async (shell) => {
    const { code, stdout } = await ann.types(["completion", shell]);
    expect(code).toBe(0);
    expect(stdout).toContain("workspacectl_run complete -- ");
  });

  it("works in bash, which passes the words up to the cursor and evaluates none of them", async () => {
    const folder = temporaryFolder();
    const stand = join(folder, "workspacectl");
    writeFileSync(stand, '#!/bin/sh\nprintf "%s|" "$@" >&3\nprintf "show\\tone\\nretry\\tagain\\n"\n');
    chmodSync(stand, 0o755);
    const { stdout: script } = await ann.types(["completion", "bash"]);
    const typed = "COMP_WORDS=(workspacectl executions '$(touch hacked)' sh later); COMP_CWORD=3";
    const check = `${script}\n${typed}\n_workspacectl 3>asked\necho "\${COMPREPLY[@]}"; cat asked; ls`;
    const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
    const { stdout } = spawnSync("bash", ["-c", check], { cwd: folder, env, encoding: "utf8" });
    const [reply, asked = ""] = stdout.split("\n");
    expect(reply).toBe("show retry");
    expect(asked).toBe("complete|--|executions|$(touch hacked)|sh|asked");
    expect(stdout).not.toMatch(/^hacked$/m);
  });

  it("works in bash if the command is not on PATH", async () => {
    const { stdout: script } = await ann.types(["completion", "bash"]);
    const typed = "COMP_WORDS=(workspacectl executions sh); COMP_CWORD=2";
    const check = `${script}\n${typed}\n_workspacectl\necho "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync("bash", ["-c", check], { env: { PATH: "/usr/bin:/bin" }, encoding: "utf8" });
    expect(stdout).toBe("show\n");
  });

  it("rejects an unknown shell", async () => {
    const { code, stderr } = await ann.types(["completion", "tcsh"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Allowed choices are bash, zsh, fish");
  });

  it("offers commands, subcommands and options", async () => {
    expect(await offered("")).toEqual(expect.arrayContaining(["login", "up", "run", "executions"]));
    expect(await offered("")).not.toContain("complete");
    expect(await offered("executions", "")).toEqual(["list", "show", "retry", "cancel"]);
    expect(await offered("run", "web/deploy", "--w")).toEqual(["--watch", "--workspace"]);
  });

  it("offers the values of an option", async () => {
    expect(await offered("graph", "--parts", "")).toEqual(["projects", "pipelines", "access"]);
    expect(await offered("init", "--existing", "")).toEqual(["external", "adopt"]);
    expect(await offered("fmt", "--")).toEqual(expect.arrayContaining(["--check", "--diff"]));
    expect(await offered("fmt", "")).toEqual([]);
  });

  it("offers the stored connections", async () => {
    mkdirSync(dirname(ann.file), { recursive: true });
    writeFileSync(ann.file, JSON.stringify({ connections: { us: {}, eu: {} } }));
    expect(await offered("whoami", "--connection", "")).toEqual(["us", "eu"]);
    expect(await offered("whoami", "-c", "e")).toEqual(["eu"]);
  });

  it("offers formats and codes of the checks, and leaves file names to the shell", async () => {
    expect(await offered("validate", "--format", "")).toEqual(["text", "json", "github", "sarif"]);
    expect(await offered("validate", "--o")).toEqual(["--overlay", "--offline"]);
    expect(await offered("lint", "-E", "unused-")).toEqual([
      "unused-permission-set",
      "unused-member",
      "unused-ignore",
    ]);
    expect(await offered("lint", "--off", "cron")).toEqual([
      "cron-never",
      "cron-ambiguous",
      "cron-not-everywhere",
    ]);
    expect(await offered("lint", "--overlay", "")).toEqual([]);
  });
});
