/** Tests that code which a pull request plants next to a workspace file never runs, however workspacectl is started. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  bin,
  connected,
  emulatorForTests,
  isolated,
  repository,
  stateIn,
  temporaryFolder,
} from "./support.js";

const folder = temporaryFolder();
const checkout = join(folder, "checkout");
const ran = join(folder, "ran");
let emulator: Emulator;

/** Leaves a trace when it runs, and otherwise behaves like the original. */
const planted = (real: string) =>
  `require("fs").appendFileSync(${JSON.stringify(ran)}, __filename + "\\n"); module.exports = require(${JSON.stringify(real)});\n`;

function plant(path: string, text: string): void {
  const file = join(checkout, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}

beforeAll(async () => {
  emulator = await emulatorForTests();
  plant(
    "workspace.yaml",
    `version: 1\nworkspace: ${emulator.workspace}\ngroups:\n  QA: { description: Testers }\n`,
  );
  const ours = "node_modules/pulumi-workspace-automation";
  plant(`${ours}/package.json`, '{"name":"pulumi-workspace-automation","version":"9.9.9","main":"i.js"}');
  plant(`${ours}/provider.js`, planted(join(repository, "dist/provider/public.js")));
  plant("node_modules/@pulumi/pulumi/package.json", '{"name":"@pulumi/pulumi","version":"3.999.0"}');
  const host = join(repository, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
  plant("node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js", planted(host));
  plant("preload.cjs", planted("path"));
  for (const name of ["node", "pulumi", "pulumi-resource-pulumi-nodejs"]) {
    plant(`node_modules/.bin/${name}`, `#!/bin/sh\necho ${name} >> '${ran}'\nexit 1\n`);
    chmodSync(join(checkout, "node_modules/.bin", name), 0o755);
  }
  // Creates a trusted file of the same name in the folder in which workspacectl is started.
  writeFileSync(join(folder, "preload.cjs"), "");
  symlinkSync(bin, join(folder, "workspacectl"));
});

interface Start {
  readonly program: string;
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

const npxPath = [join(checkout, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
const starts: Readonly<Record<string, Start>> = {
  "from the folder of the file, with the PATH that npx makes": {
    program: bin,
    cwd: checkout,
    env: { PATH: npxPath },
  },
  "from elsewhere, by a link, with a relative preload": {
    program: join(folder, "workspacectl"),
    cwd: folder,
    env: { NODE_OPTIONS: "--require ./preload.cjs", PULUMI_IGNORE_AMBIENT_PLUGINS: "true" },
  },
};

describe.sequential("code next to a workspace file", () => {
  for (const [way, { program, cwd, env = {} }] of Object.entries(starts))
    it(`does not run: ${way}`, async () => {
      const file = join(checkout, "workspace.yaml");
      const all = isolated(folder, { ...connected(emulator), ...stateIn(folder), ...env });
      const run = (...argv: string[]) =>
        execa(process.execPath, [program, ...argv, "-f", file], {
          cwd,
          env: all,
          extendEnv: false,
          reject: false,
          stdin: "ignore",
        });
      const up = await run("up", "--create-stack", "--yes");
      expect({ code: up.exitCode, stderr: up.stderr }).toMatchObject({ code: 0 });
      expect(up.stderr).toContain("pulumi-workspace-automation is not run: a workspace file is data");
      expect(up.stdout + up.stderr).not.toContain("from $PATH");
      expect((await run("drift")).exitCode).toBe(0);
      expect(existsSync(ran)).toBe(false);
    }, 600_000);
});
