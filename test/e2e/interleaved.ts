/** Runs a command between the plan of another one and the moment when its engine takes the lock. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePulumi } from "../../cli/toolchain/index.js";
import { bin, temporaryFolder } from "./support.js";

/** Quotes a word for a shell. */
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * Makes a Pulumi that runs another command of `workspacectl` once, immediately before its first operation that is no preview.
 * @param env the environment of the other command: Pulumi has no token
 * @returns the environment of the interrupted command, and the exit code of the other one once it has run
 */
export async function interleave(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly env: NodeJS.ProcessEnv; readonly code: () => number | undefined }> {
  const { command } = await ensurePulumi();
  const folder = temporaryFolder();
  const [wrapper, begun, ended] = ["pulumi", "begun", "ended"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const variables = Object.entries({ ...env, PULUMI_BIN: command }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const words = ["env", "-i", ...variables, process.execPath, bin, ...argv].map(quote).join(" ");
  writeFileSync(
    wrapper,
    `#!/bin/sh
case " $* " in *" --preview-only "*) exec ${quote(command)} "$@" ;; esac
case "$1" in up | destroy | refresh)
  if mkdir ${quote(begun)} 2> /dev/null; then
    (cd ${quote(cwd)} && ${words} > ${quote(join(begun, "log"))} 2>&1)
    echo $? > ${quote(ended)}
  fi ;;
esac
exec ${quote(command)} "$@"
`,
  );
  chmodSync(wrapper, 0o755);
  return {
    env: { ...env, PULUMI_BIN: wrapper },
    code: () => (existsSync(ended) ? Number(readFileSync(ended, "utf8")) : undefined),
  };
}
