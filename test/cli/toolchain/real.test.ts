import { execa } from "execa";
import { expect, it } from "vitest";
import { ensurePulumi, progressPrinter } from "../../../cli/toolchain/index.js";
import { executables } from "../../../cli/toolchain/locations.js";
import { checkLanguageHost } from "../../../cli/toolchain/probe.js";
import { MINIMUM_PULUMI_VERSION, isAtLeast } from "../../../cli/toolchain/versions.js";
import { readdirSync } from "node:fs";

/** The first time on a machine without Pulumi this downloads or builds one; every later time it is found. */
const FIRST_TIME_MS = 20 * 60_000;

it("this machine gets a Pulumi CLI and a language host that run", { timeout: FIRST_TIME_MS }, async () => {
  const toolchain = await ensurePulumi({ onProgress: progressPrinter(process.stderr) });
  const { stdout } = await execa(toolchain.command, ["version"]);
  expect(stdout).toMatch(new RegExp(`^v${toolchain.version.replaceAll(".", "\\.")}`));
  expect(isAtLeast(toolchain.version, MINIMUM_PULUMI_VERSION)).toBe(true);
  expect(readdirSync(toolchain.binDir)).toEqual(expect.arrayContaining(Object.values(executables)));
  await checkLanguageHost(toolchain.languageHost!);
});
