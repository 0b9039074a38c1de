/** Tests that commands run as a user whom the system does not know, without a home, as containers with a random user number start them. */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { ensurePulumi } from "../../toolchain/index.js";
import { bin, setUp, stateIn, temporaryFolder } from "./support.js";

const USER = 1_000_650_000;
const as = { uid: USER, gid: 0, extendEnv: false, reject: false, stdin: "ignore" } as const;

/** Only root can start a process as another user, who must be able to read the checkout. */
const canTry = process.getuid?.() === 0 && spawnSync("test", ["-r", bin], { uid: USER, gid: 0 }).status === 0;

describe.skipIf(!canTry)("a user whom the system does not know", () => {
  it("validates a file and applies it, without HOME and USER", async () => {
    const { folder, file, env } = await setUp("version: 1\nworkspace: acme\ngroups:\n  QA: {}\n");
    const tools = temporaryFolder();
    const { command } = await ensurePulumi();
    copyFileSync(command, join(tools, "pulumi"));
    const cache = join(tools, "cache");
    mkdirSync(cache);
    const more = { ...stateIn(folder), TMPDIR: tools, PULUMI_BIN: tools, WORKSPACECTL_CACHE: cache };
    // The folder of all tests is for their own user only.
    chmodSync(dirname(folder), 0o711);
    for (const one of [folder, join(folder, "state"), tools, cache]) {
      chmodSync(one, 0o755);
      chownSync(one, USER, 0);
    }
    const known = /^(HOME|USER|LOGNAME|PULUMI_HOME)$/;
    const rest = Object.fromEntries(
      Object.entries({ ...env, ...more }).filter(([name]) => !known.test(name)),
    );
    const run = (...argv: string[]) =>
      execa(process.execPath, [bin, ...argv, "-f", file], { ...as, cwd: folder, env: rest });

    expect(await run("validate")).toMatchObject({ exitCode: 0, stderr: "" });
    const applied = await run("up", "--yes", "--create-stack", "--stack", "dev");
    expect(`${applied.exitCode} ${applied.stderr}`).toMatch(/^0/);
    // Without a home that it can write, it says what the next command needs.
    expect(applied.stderr).toMatch(/the selected stack cannot be stored: EACCES.*\n?.*--stack/);
    expect(await run("drift", "--stack", "dev")).toMatchObject({ exitCode: 0 });
    const { stdout } = await execa(process.execPath, [bin, "doctor"], { ...as, cwd: folder, env: rest });
    expect(stdout).toMatch(new RegExp(`warning +account +user ${USER}, whom the system does not know`));
  });
});
