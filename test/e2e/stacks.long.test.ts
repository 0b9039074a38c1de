/** Tests what a user does with stacks and their configuration, without Pulumi on PATH. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import {
  bin,
  connected,
  emulatorForTests,
  isolated,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

describe("stacks and configuration", async () => {
  const emulator = await emulatorForTests();
  const folder = temporaryFolder();
  /** Without a Pulumi.yaml. */
  const plain = temporaryFolder();
  const env = { ...isolated(folder, { PATH: "/usr/bin:/bin" }), ...connected(emulator), ...stateIn(folder) };
  const ctl = (...argv: string[]) => workspacectl(argv, folder, env);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\ngroups: { QA: {} }\n");

  it("can be listed, selected and configured, with secrets from standard input", async () => {
    expect((await ctl("pulumi", "--", "stack", "init", "us")).code).toBe(0);
    const listed = await ctl("stack", "ls");
    expect(listed.stdout).toContain("us");
    expect(listed.stderr).toContain(`state in file://${folder}/state`);
    expect((await ctl("stack", "select", "us")).stdout).toContain("now use us");
    expect((await ctl("config", "set", "team", "blue")).stdout).toBe("team is set for stack us.");
    const { exitCode } = await execa(process.execPath, [bin, "config", "set", "planted", "-", "--secret"], {
      ...{ cwd: folder, env, extendEnv: false, input: "planted-value\n" },
    });
    expect(exitCode).toBe(0);
    expect((await ctl("config", "get", "team")).stdout).toBe("blue");
    expect((await ctl("config", "get", "planted")).stdout).toBe("planted-value");
    expect((await ctl("config", "get")).stdout).not.toContain("planted-value");
  });

  it("accept no secret on the command line, which the shell would store", async () => {
    const { code, stderr } = await ctl("config", "set", "planted", "on-the-line", "--secret");
    expect(code).toBe(1);
    expect(stderr).toContain("must not be written on the command line, because the shell stores it");
    expect((await ctl("config", "get", "planted")).stdout).toBe("planted-value");
  });

  it("can be exported, and removed only when they manage nothing", async () => {
    expect((await ctl("up", "--yes", "--stack", "us")).code).toBe(0);
    expect((await ctl("stack", "export", "--stack", "us")).stdout).toContain("groups/QA");
    const kept = await ctl("stack", "rm", "us", "--yes");
    expect(kept.code).toBe(1);
    expect(kept.stderr).toContain('"workspacectl destroy --stack us"');
    expect((await ctl("stack", "unlock", "--stack", "us", "--yes")).stdout).toContain("is not locked");
    expect((await ctl("destroy", "--yes", "--stack", "us", "--allow-delete", "**")).code).toBe(0);
    expect((await ctl("stack", "rm", "us", "--yes")).stdout).toBe("Stack us is removed.");
  });

  it("are selected when they are created, so that the next command needs no --stack", async () => {
    // The one that was selected before was removed.
    expect((await ctl("up", "--yes", "--create-stack", "eu")).code).toBe(0);
    expect(await ctl("preview")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No changes") as string,
    });
    expect((await ctl("stack", "ls")).stdout).toMatch(/^eu\*/m);
  });

  it("are found without a Pulumi.yaml, and a missing one is named with the reason why it was taken", async () => {
    writeFileSync(join(plain, "workspace.yaml"), "version: 1\nworkspace: acme\ngroups: { Plain: {} }\n");
    const { PULUMI_BACKEND_URL: _none, ...own } = env;
    const inPlain = (...argv: string[]) => workspacectl(argv, plain, own);
    const refused = await inPlain("up", "--yes");
    expect(refused.stderr).toContain(
      "stack dev (the default, because none is specified or selected) does not exist yet; project workspace-automation has no stacks",
    );
    expect((await inPlain("import", "--create-stack", "us")).stderr).toContain("groups/Plain");
    expect(await inPlain("up", "--yes")).toMatchObject({ code: 0 });
    expect((await inPlain("stack", "select", "us")).stdout).toContain("now use us");
    expect((await inPlain("preview")).stdout).toContain("No changes");
    writeFileSync(
      join(plain, "workspace.yaml"),
      "version: 1\nworkspace: acme\nstack: production\ngroups: { Plain: {} }\n",
    );
    expect((await inPlain("preview")).stderr).toContain(
      "Stack production (named in workspace.yaml) does not exist yet; project workspace-automation has us",
    );
    expect((await inPlain("stack", "select", "us")).stderr).toContain("sets stack production");
  });

  it("pass on the exit code and the messages of Pulumi", async () => {
    const { code, stderr } = await ctl("pulumi", "--", "stack", "select", "nobody");
    expect(code).not.toBe(0);
    expect(stderr).toContain("no stack named 'nobody'");
  });
});
