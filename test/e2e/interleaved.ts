/** Runs a command between the plan of another one and the moment when its engine takes the lock. */
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { ensurePulumi } from "../../toolchain/index.js";
import { bin, temporaryFolder } from "./support.js";

/** Quotes a word for a shell. */
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

interface Interleaved {
  /** The environment of the interrupted command. */
  readonly env: NodeJS.ProcessEnv;
  /** The exit code of what ran meanwhile, once it has run. */
  readonly code: () => number | undefined;
}

/**
 * Makes a Pulumi that runs another command of `workspacectl` once, immediately before its first operation that is no preview.
 * @param env the environment of the other command: Pulumi has no token
 */
export function interleave(
  argv: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Interleaved> {
  return interleaveProcess([bin, ...argv], cwd, env);
}

/**
 * Makes a Pulumi that sends a request to the service, as somebody does in a browser.
 * @returns also the requests by which the interrupted command has written
 */
export async function interleaveRequest(
  emulator: Emulator,
  env: NodeJS.ProcessEnv,
  method: string,
  path: string,
  body?: object,
): Promise<Interleaved & { readonly writes: () => string[] }> {
  const { baseUrl, token, workspace, journal } = emulator;
  const whole = `/workspaces/${workspace}${path}`;
  const request = {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const script = `fetch(${JSON.stringify(baseUrl + whole)}, ${JSON.stringify(request)}).then(({ ok }) => process.exit(ok ? 0 : 1))`;
  const between = await interleaveProcess(["-e", script], process.cwd(), env);
  journal.clear();
  const own = `${method} ${whole}`;
  const writes = () => {
    expect(between.code()).toBe(0);
    const all = journal.writes().map((one) => `${one.method} ${one.path}`);
    const at = all.indexOf(own);
    return all.filter((_, index) => index !== at);
  };
  return { ...between, writes };
}

async function interleaveProcess(
  words: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Interleaved> {
  const { command } = await ensurePulumi();
  const folder = temporaryFolder();
  // Programs need the language hosts, which are next to Pulumi.
  for (const name of readdirSync(dirname(command)))
    if (name !== "pulumi") symlinkSync(join(dirname(command), name), join(folder, name));
  const [wrapper, begun, ended] = ["pulumi", "begun", "ended"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const variables = Object.entries({ ...env, PULUMI_BIN: command }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const line = ["env", "-i", ...variables, process.execPath, ...words].map(quote).join(" ");
  writeFileSync(
    wrapper,
    `#!/bin/sh
case " $* " in *" --preview-only "*) exec ${quote(command)} "$@" ;; esac
case "$1" in up | destroy | refresh)
  if mkdir ${quote(begun)} 2> /dev/null; then
    (cd ${quote(cwd)} && ${line} > ${quote(join(begun, "log"))} 2>&1)
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
