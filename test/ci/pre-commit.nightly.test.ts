/** Tests the hooks with the real pre-commit, which is skipped where pip cannot install it. Needs a build. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import { bin, repository, temporaryFolder } from "../e2e/support.js";

const VERSION = "4.7.0";
const GOOD = "version: 1\nworkspace: acme\n\ngroups:\n  QA:\n    description: Testers\n";

describe("pre-commit", { timeout: 300_000 }, () => {
  const tools = join(temporaryFolder(), "tools");
  const hooks = temporaryFolder();
  const project = temporaryFolder();
  const env = {
    PATH: [join(tools, "bin"), process.env["PATH"]].join(delimiter),
    PYTHONPATH: tools,
    HOME: temporaryFolder(),
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, "Ann"],
        [`GIT_${who}_EMAIL`, "ann@example.com"],
      ]),
    ),
  };
  const run = (cwd: string, command: string, ...args: string[]) =>
    execa(command, args, { cwd, env, extendEnv: false, reject: false, all: true });
  let isInstalled = false;

  beforeAll(async () => {
    const pip = ["-m", "pip", "install", "--quiet", "--target", tools, `pre-commit==${VERSION}`];
    isInstalled = (await execa("python3", pip, { reject: false })).exitCode === 0;
    cpSync(join(repository, ".pre-commit-hooks.yaml"), join(hooks, ".pre-commit-hooks.yaml"));
    mkdirSync(join(project, "node_modules/.bin"), { recursive: true });
    symlinkSync(bin, join(project, "node_modules/.bin/workspacectl"));
    writeFileSync(join(project, ".gitignore"), "node_modules\n");
    writeFileSync(join(project, "package.json"), '{ "name": "project", "private": true }\n');
    for (const folder of [hooks, project]) await run(folder, "git", "init", "--quiet");
    await run(hooks, "git", "add", "--all");
    await run(hooks, "git", "commit", "--quiet", "--message", "Hooks");
    const { stdout: rev } = await run(hooks, "git", "rev-parse", "HEAD");
    const ids = ["fmt", "validate", "lint"].map((name) => `      - id: workspacectl-${name}\n`).join("");
    writeFileSync(
      join(project, ".pre-commit-config.yaml"),
      `repos:\n  - repo: ${hooks}\n    rev: ${rev}\n    hooks:\n${ids}`,
    );
  }, 300_000);

  async function check(text: string) {
    writeFileSync(join(project, "workspace.yaml"), text);
    await run(project, "git", "add", "--all");
    const { exitCode, all } = await run(project, "pre-commit", "run", "--all-files");
    const results = [...all.matchAll(/^(Format|Problems|Lint)\b.*\.(Passed|Failed|Skipped)$/gm)];
    return { exitCode, all, results: results.map(([, hook, result]) => `${hook} ${result}`) };
  }

  it("accepts a good workspace file", async (context) => {
    if (!isInstalled) return context.skip("pip cannot install pre-commit");
    const { exitCode, all, results } = await check(GOOD);
    expect(results, all).toEqual(["Format Passed", "Problems Passed", "Lint Passed"]);
    expect(exitCode).toBe(0);
  });

  it("refuses a bad one, and says why", async (context) => {
    if (!isInstalled) return context.skip("pip cannot install pre-commit");
    const { exitCode, all, results } = await check(GOOD.replace("groups:", "groops:"));
    expect(exitCode).toBe(1);
    expect(results, all).toContain("Problems Failed");
    expect(all).toContain('unknown property "groops"');
  });
});
