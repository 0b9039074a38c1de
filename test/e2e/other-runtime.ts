/** Runs test files in a process of its own, with another Node.js or another Pulumi. */
import { join } from "node:path";
import { execa } from "execa";
import { repository } from "./support.js";

/** @returns what the tests said, if one failed */
export async function runTests(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  node = process.execPath,
): Promise<{ readonly code: number | undefined; readonly failures: string }> {
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS$)/.test(name));
  const run = await execa(node, [vitest, "run", "--maxWorkers", "1", ...files], {
    cwd: repository,
    env: { ...Object.fromEntries(inherited), ...env },
    extendEnv: false,
    reject: false,
    all: true,
  });
  return { code: run.exitCode, failures: run.exitCode === 0 ? "" : run.all };
}
