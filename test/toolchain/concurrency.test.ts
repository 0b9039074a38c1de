/** Tests processes that fill the cache at the same time. */
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { execa } from "execa";
import { expect, it } from "vitest";
import { listCacheFolders } from "../../toolchain/locations.js";
import { PULUMI_VERSION } from "../../toolchain/versions.js";
import { compileToolchain } from "./compiled.js";
import { emptyMachine } from "./fakes.js";

/** Returns a program that ensures Pulumi with a builder that takes a second, and logs each build to a file. */
const program = (toolchain: string, log: string) => `
  import { appendFileSync, chmodSync, writeFileSync } from "node:fs";
  import { ensurePulumi } from ${JSON.stringify(`${toolchain}/index.js`)};
  const put = (path, text) => { writeFileSync(path, text); chmodSync(path, 0o755); };
  const machinery = {
    pulumiVersion: async () => "${PULUMI_VERSION}",
    checkLanguageHost: async () => {},
    install: async (root) => {
      appendFileSync(${JSON.stringify(log)}, "built\\n");
      put(root + "/bin/pulumi", "half");
      await new Promise((resolve) => setTimeout(resolve, 1000));
      put(root + "/bin/pulumi", "whole");
      put(root + "/bin/pulumi-language-nodejs", "host");
      return "a list";
    },
  };
  const words = [];
  const onProgress = (event) => { if (event.kind === "waiting") words.push(event.text); };
  const { source, command } = await ensurePulumi({ machinery, onProgress });
  console.log(JSON.stringify({ source, command, words }));
`;

it.skipIf(process.platform === "win32")(
  "concurrent processes wait for a single build, and all use its result",
  async () => {
    const { folder, env } = emptyMachine();
    const log = join(folder, "log");
    appendFileSync(log, "");
    const code = program(compileToolchain(), log);
    const run = () => execa(process.execPath, ["--input-type=module", "-e", code], { env, extendEnv: false });
    const results = (await Promise.all([run(), run(), run()])).map(
      ({ stdout }) => JSON.parse(stdout) as { source: string; command: string; words: string[] },
    );
    expect(readFileSync(log, "utf8")).toBe("built\n");
    expect(results.map(({ source }) => source).sort()).toEqual(["cache", "cache", "installer"]);
    expect(new Set(results.map(({ command }) => command)).size).toBe(1);
    expect(readFileSync(results[0]!.command, "utf8")).toBe("whole");
    const waiting = `waiting for another process that makes Pulumi ${PULUMI_VERSION}`;
    expect(results.filter(({ source }) => source === "cache").map(({ words }) => words)).toEqual([
      [waiting],
      [waiting],
    ]);
    const { base, cli } = listCacheFolders(env);
    expect(readdirSync(base)).toEqual([basename(cli)]);
  },
);
