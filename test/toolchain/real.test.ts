/** Tests the Pulumi CLI of this machine. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import {
  buildToolchainEnvironment,
  createProgressPrinter,
  ensurePulumi,
  MINIMUM_PULUMI_VERSION,
  type PulumiToolchain,
} from "../../toolchain/index.js";
import { executables } from "../../toolchain/locations.js";
import { checkLanguageHost } from "../../toolchain/programs.js";
import { isAtLeast } from "../../toolchain/versions.js";
import { temporaryFolder } from "./fakes.js";

/** Without Pulumi on the machine, the first run downloads or builds one. Later runs use it. */
const FIRST_TIME_MS = 20 * 60_000;

/** A program with one dynamic resource whose provider is a text, as all of ours are. */
const program = `
const pulumi = require("@pulumi/pulumi");
const provider = 'exports.handler = () => ({ create: async (inputs) => ({ id: "1", outs: inputs }) })';
new pulumi.CustomResource("pulumi-nodejs:dynamic/test:Thing", "thing", { __provider: provider });
`;

describe("Pulumi on this machine", () => {
  let toolchain: PulumiToolchain;
  beforeAll(async () => {
    toolchain = await ensurePulumi({ onProgress: createProgressPrinter(process.stderr) });
  }, FIRST_TIME_MS);

  it("runs and has the reported version", async () => {
    const { stdout } = await execa(toolchain.command, ["version"]);
    expect(stdout).toMatch(new RegExp(`^v${toolchain.version.replaceAll(".", "\\.")}`));
    expect(isAtLeast(toolchain.version, MINIMUM_PULUMI_VERSION)).toBe(true);
  });

  it("has a language host that starts, and all programs in one folder", async () => {
    expect(readdirSync(toolchain.binDir)).toEqual(expect.arrayContaining(Object.values(executables)));
    await checkLanguageHost(toolchain.languageHost!, { env: process.env, checkouts: [] });
  });

  it(
    "runs a program with a dynamic provider in a folder without node_modules",
    { timeout: 600_000 },
    async () => {
      const cwd = temporaryFolder();
      mkdirSync(join(cwd, "state"));
      writeFileSync(join(cwd, "Pulumi.yaml"), "name: real\nruntime: nodejs\n");
      writeFileSync(join(cwd, "package.json"), '{ "name": "real", "main": "index.js" }');
      writeFileSync(join(cwd, "index.js"), program);
      const env = {
        ...(await buildToolchainEnvironment(toolchain)),
        PULUMI_BACKEND_URL: `file://${join(cwd, "state")}`,
        PULUMI_CONFIG_PASSPHRASE: "test",
      };
      await execa("pulumi", ["stack", "init", "dev"], { cwd, env });
      const { all } = await execa("pulumi", ["up", "--yes", "--skip-preview"], {
        cwd,
        env,
        all: true,
      });
      expect(all).toMatch(/thing created/);
      expect(all).not.toContain("from $PATH");
    },
  );
});
